package dev.medley.serving.host;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps all models of a server, by name and version. A version is replaced by loading the new one
 * beside the old, which answers until then and ends when its last request is answered.
 *
 * <p>Thread: any; models are loaded one at a time, by who asks for it.
 */
public final class ModelHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelHost.class);

    private final ServeLimits limits;
    private final Clock clock;

    /** Guards loading and unloading; never held while a request is answered. */
    private final Object loading = new Object();

    private volatile Map<String, Entry> models = Map.of();

    /**
     * Holds a name: where its versions come from, and those that are in memory.
     *
     * @param folder from which it is loaded again
     * @param versions that are ready, the one that answers by default last
     * @param trouble why it is not ready, where it is not
     */
    public record Entry(Path folder, String version, List<ServedModel> versions, String trouble) {
        public Entry {
            versions = List.copyOf(versions);
        }

        /** The one that answers where no version is asked for. */
        public @Nullable ServedModel current() {
            return versions.isEmpty() ? null : versions.get(versions.size() - 1);
        }
    }

    /** A model in somebody's hands, which stays until it is let go. */
    public static final class Held implements AutoCloseable {
        private final ServedModel model;
        private boolean isReleased;

        private Held(ServedModel model) {
            this.model = model;
        }

        /** The model. */
        public ServedModel model() {
            return model;
        }

        @Override
        public synchronized void close() {
            if (!isReleased) {
                isReleased = true;
                model.release();
            }
        }
    }

    /** Without models. */
    public ModelHost(ServeLimits limits, Clock clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /** All names, with what is there of each. */
    public Map<String, Entry> entries() {
        return models;
    }

    /**
     * Names a model that is not loaded yet, so that it can be asked for.
     *
     * @throws ConfigException if the name is taken
     */
    public void add(ModelName name, Path folder) {
        synchronized (loading) {
            ConfigException.check(
                    !models.containsKey(name.name()),
                    "two models are called %s: give names, as NAME=FOLDER",
                    name.name());
            put(name.name(), new Entry(folder, name.version(), List.of(), "not loaded"));
        }
    }

    /**
     * Loads a model's version, and has it answer in place of others from then on.
     *
     * @throws ConfigException if it cannot be loaded; what answered before still does
     */
    public ServedModel load(ModelName name, Path folder) {
        synchronized (loading) {
            ServedModel loaded = ServedModel.load(name, folder, limits, clock);
            Entry before = models.get(name.name());
            put(name.name(), new Entry(folder, name.version(), List.of(loaded), ""));
            if (before != null) {
                before.versions().forEach(ServedModel::retire);
            }
            LOG.info("{} answers: {}", name, loaded.engine());
            return loaded;
        }
    }

    /**
     * Loads a model anew from where it was, as the protocol's repository asks for.
     *
     * @throws ServingFailure if there is no such name, or it cannot be loaded
     */
    public void reload(String name) {
        synchronized (loading) { // What is loaded meanwhile is what is loaded again.
            Entry entry = entry(name);
            try {
                load(new ModelName(name, entry.version()), entry.folder());
            } catch (ConfigException e) {
                throw new ServingFailure(Kind.INVALID, String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * Takes a model out of memory; its requests under way are answered.
     *
     * @throws ServingFailure if there is no such name
     */
    public void unload(String name) {
        synchronized (loading) {
            Entry entry = entry(name);
            put(name, new Entry(entry.folder(), entry.version(), List.of(), "unloaded"));
            entry.versions().forEach(ServedModel::retire);
        }
    }

    /**
     * A model to answer with.
     *
     * @param version null for the one that answers by default
     * @throws ServingFailure if there is none, or it is not ready
     */
    public Held hold(String name, @Nullable String version) {
        while (true) {
            Entry entry = entry(name);
            ServedModel found = version == null ? entry.current() : find(entry, version);
            if (found == null) {
                throw missing(name, version, entry);
            }
            if (found.hold()) {
                return new Held(found);
            }
            // It was replaced in between: look again.
        }
    }

    private static ServingFailure missing(String name, @Nullable String version, Entry entry) {
        if (entry.versions().isEmpty()) {
            return new ServingFailure(
                    Kind.UNAVAILABLE,
                    "model '%s' is not ready: %s".formatted(name, entry.trouble()));
        }
        List<String> there = new ArrayList<>();
        entry.versions().forEach(each -> there.add(each.name().version()));
        return new ServingFailure(
                Kind.NOT_FOUND,
                "model '%s' has no version '%s'; it has %s"
                        .formatted(name, version, String.join(", ", there)));
    }

    private static @Nullable ServedModel find(Entry entry, String version) {
        return entry.versions().stream()
                .filter(each -> each.name().version().equals(version))
                .reduce((first, later) -> later)
                .orElse(null);
    }

    /** What is known of a name; a {@link ServingFailure} where nothing is. */
    public Entry entry(String name) {
        Entry entry = models.get(name);
        if (entry == null) {
            throw new ServingFailure(
                    Kind.NOT_FOUND,
                    "there is no model '%s'%s"
                            .formatted(
                                    name.length() > 100 ? name.substring(0, 100) : name,
                                    DidYouMean.of(name, models.keySet())
                                            .map(near -> ", did you mean '" + near + "'?")
                                            .orElse(
                                                    "; /v2/repository/index lists those there"
                                                            + " are")));
        }
        return entry;
    }

    /** Whether all models answer. */
    public boolean isReady() {
        return models.values().stream().noneMatch(entry -> entry.versions().isEmpty());
    }

    private void put(String name, Entry entry) {
        Map<String, Entry> changed = new TreeMap<>(models);
        changed.put(name, entry);
        models = Collections.unmodifiableMap(changed);
    }

    /** Answers what is under way, and closes all models. */
    @Override
    public void close() {
        synchronized (loading) {
            Map<String, Entry> all = models;
            models = Map.of();
            all.values().forEach(entry -> entry.versions().forEach(ServedModel::retire));
        }
    }
}
