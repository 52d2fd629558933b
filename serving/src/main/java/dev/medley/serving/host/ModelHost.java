package dev.medley.serving.host;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.traffic.VersionCount;
import dev.medley.serving.traffic.VersionTraffic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
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

    private static final String LOST = "no version could be loaded; the log says why";

    private final ServeLimits limits;
    private final Clock clock;
    private final MemoryBudget memory;
    private final SwapFigures swaps = new SwapFigures();
    private final SwapWaits waits;

    /** Guards loading and unloading; never held while a request is answered. */
    private final Object loading = new Object();

    /** Guards changes of the map, for a moment each; taken last. */
    private final Object entries = new Object();

    private volatile Map<String, Entry> models = Map.of();

    /**
     * Holds a name: where its versions come from, and those that are in memory.
     *
     * @param folder from which it is loaded again
     * @param versions that are ready, the one that answers by default last
     * @param trouble why it is not ready, where it is not
     * @param traffic by which requests that name no version are dealt out; null for none
     * @param swap that is under way while no version is loaded: requests wait for its end
     */
    public record Entry(
            Path folder,
            String version,
            List<ServedModel> versions,
            String trouble,
            @Nullable VersionTraffic traffic,
            @Nullable CompletableFuture<Void> swap) {
        public Entry {
            versions = List.copyOf(versions);
        }

        Entry(Path folder, String version, List<ServedModel> versions, String trouble) {
            this(folder, version, versions, trouble, null, null);
        }

        private Entry with(List<ServedModel> others) {
            return new Entry(folder, version, others, trouble, traffic, swap);
        }

        /** The one that answers where no version is asked for. */
        public @Nullable ServedModel current() {
            return versions.isEmpty() ? null : versions.get(versions.size() - 1);
        }
    }

    /** Without models, and with as much memory for them as there is. */
    public ModelHost(ServeLimits limits, Clock clock) {
        this(limits, MemoryBudget.measured(), clock);
    }

    /** The same with a budget. */
    public ModelHost(ServeLimits limits, MemoryBudget memory, Clock clock) {
        this.limits = limits;
        this.memory = memory;
        this.clock = clock;
        this.waits = new SwapWaits(limits.batches().mostWaitingRows(), swaps, clock);
    }

    /** How versions took the place of others. */
    public SwapFigures swaps() {
        return swaps;
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
     * Has a version answer in place of the one that does: beside it, or where there is no room for
     * both, after it is closed, while requests wait. One that is loaded already is not loaded
     * again.
     *
     * @throws ConfigException if it has no room or cannot be loaded; what answered before still
     *     does
     */
    public Replaced replace(ModelName name, Path folder) {
        synchronized (loading) {
            Entry before = entry(name.name());
            ServedModel old = before.current();
            ServedModel ready = find(before, name.version());
            if (ready != null) {
                put(name.name(), new Entry(folder, name.version(), List.of(ready), ""));
                before.versions().stream().filter(m -> m != ready).forEach(ServedModel::retire);
                return new Replaced(ready, "it was loaded already");
            }
            if (old == null) {
                return new Replaced(load(name, folder), "no other was loaded");
            }
            MemoryBudget.Choice choice = choice(name, folder, before.versions());
            if (choice.way() == MemoryBudget.Way.DRAINED) {
                return new Replaced(drained(name, folder, before, old), choice.why());
            }
            ServedModel loaded = load(name, folder);
            swaps.add(name.name(), choice.way());
            return new Replaced(loaded, "loaded beside the old one: " + choice.why());
        }
    }

    /**
     * A version that answers now.
     *
     * @param how it was loaded
     */
    public record Replaced(ServedModel model, String how) {}

    private MemoryBudget.Choice choice(ModelName name, Path folder, List<ServedModel> going) {
        long held = 0;
        for (Entry entry : models.values()) {
            held += entry.versions().stream().mapToLong(ServedModel::bytes).sum();
        }
        long old = going.stream().mapToLong(ServedModel::bytes).sum();
        long guess = MemoryBudget.onDisk(folder) + overhead(name.name());
        MemoryBudget.Choice choice = memory.choose(held, old, guess);
        ConfigException.check(
                choice.way() != MemoryBudget.Way.REFUSED, "%s: no room: %s", name, choice.why());
        return choice;
    }

    /** What the version that answers needs beyond its files. */
    private long overhead(String name) {
        ServedModel current = entry(name).current();
        return current == null ? 0 : Math.max(0, current.bytes() - current.diskBytes());
    }

    /** Closes the old one, loads the new one, or the old one again where that fails. */
    private ServedModel drained(ModelName name, Path folder, Entry before, ServedModel old) {
        LOG.info("{} is closed before {} is loaded; requests wait", old.name(), name);
        CompletableFuture<Void> swap = new CompletableFuture<>();
        String trouble = "it is being replaced";
        put(
                name.name(),
                new Entry(before.folder(), before.version(), List.of(), trouble, null, swap));
        try {
            before.versions().forEach(ServedModel::retire);
            before.versions().forEach(ServedModel::awaitEnd);
            try {
                ServedModel loaded = load(name, folder);
                swaps.add(name.name(), MemoryBudget.Way.DRAINED);
                return loaded;
            } catch (RuntimeException | Error e) {
                load(old.name(), before.folder());
                throw e;
            }
        } finally {
            Entry now = entry(name.name());
            if (now.swap() != null) { // Nothing could be loaded: requests are told so.
                put(name.name(), new Entry(now.folder(), now.version(), List.of(), LOST));
            }
            swap.complete(null);
        }
    }

    /** Whether a version was closed for another one, and none could be loaded since. */
    public boolean isLost(String name) {
        Entry entry = entry(name);
        return entry.current() == null && entry.trouble().equals(LOST);
    }

    /**
     * Loads a version beside the one that answers, for those who ask for it and for traffic.
     *
     * @throws ConfigException if it has no room or cannot be loaded
     */
    public void loadBeside(ModelName name, Path folder) {
        synchronized (loading) {
            Entry before = entry(name.name());
            if (find(before, name.version()) != null) {
                return;
            }
            choice(name, folder, List.of());
            ServedModel loaded = ServedModel.load(name, folder, limits, clock);
            change(
                    name.name(),
                    entry -> {
                        List<ServedModel> all = new ArrayList<>(List.of(loaded));
                        all.addAll(entry.versions());
                        return entry.with(all);
                    });
            LOG.info("{} is ready beside version {}: {}", name, before.version(), loaded.engine());
        }
    }

    /**
     * Deals requests of a name that say no version out by a plan from now on; null for no plan.
     *
     * @throws ServingFailure if there is no such name
     */
    public void direct(String name, @Nullable VersionTraffic traffic) {
        // Without waiting for a version that is being loaded.
        change(
                name,
                entry ->
                        new Entry(
                                entry.folder(),
                                entry.version(),
                                entry.versions(),
                                entry.trouble(),
                                traffic,
                                entry.swap()));
    }

    /** Takes versions out of memory that are not named, but never the one that answers. */
    public void keepOnly(String name, Set<String> versions) {
        synchronized (loading) {
            List<ServedModel> gone = new ArrayList<>();
            change(
                    name,
                    entry -> {
                        ServedModel current = entry.current();
                        List<ServedModel> kept = new ArrayList<>(entry.versions());
                        kept.removeIf(m -> m != current && !versions.contains(m.name().version()));
                        gone.addAll(entry.versions());
                        gone.removeAll(kept);
                        return entry.with(kept);
                    });
            gone.forEach(ServedModel::retire);
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
    public HeldModel hold(String name, @Nullable String version) {
        while (true) {
            Entry entry = entry(name);
            ServedModel found = version == null ? entry.current() : find(entry, version);
            if (found == null) {
                throw missing(name, version, entry);
            }
            if (found.hold()) {
                return new HeldModel(found);
            }
            // It was replaced in between: look again.
        }
    }

    /** The same model once more, for who goes on with it; null once it is gone. */
    public @Nullable HeldModel again(ServedModel model) {
        return model.hold() ? new HeldModel(model) : null;
    }

    /**
     * A model to answer a request with: where no version is named, the one that traffic has for its
     * key. While a version is replaced for which no other has room, it waits.
     *
     * @param deadlineNs of the clock, until which it waits
     * @return completes with it, or with a {@link ServingFailure}
     */
    public CompletableFuture<HeldModel> take(
            String name, @Nullable String version, String key, long deadlineNs) {
        try {
            Entry entry = entry(name);
            CompletableFuture<Void> swap = entry.swap();
            return swap == null
                    ? CompletableFuture.completedFuture(taken(name, version, key))
                    : waits.until(swap, deadlineNs)
                            .thenCompose(any -> take(name, version, key, deadlineNs));
        } catch (ServingFailure e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private HeldModel taken(String name, @Nullable String version, String key) {
        VersionTraffic traffic = version == null ? entry(name).traffic() : null;
        if (traffic == null) {
            return hold(name, version);
        }
        int chosen = traffic.choose(key);
        ServedModel found = find(entry(name), "" + chosen);
        VersionCount count = traffic.count(chosen);
        if (found == null || count == null || !found.hold()) {
            return hold(name, null); // The plan is over, or its version was taken away.
        }
        return new HeldModel(found, traffic, count.begin(key, clock.nowNs()));
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

    /** Whether all models answer, or will when a version is replaced. */
    public boolean isReady() {
        return models.values().stream()
                .noneMatch(entry -> entry.versions().isEmpty() && entry.swap() == null);
    }

    private void put(String name, Entry entry) {
        synchronized (entries) {
            Map<String, Entry> changed = new TreeMap<>(models);
            changed.put(name, entry);
            models = Collections.unmodifiableMap(changed);
        }
    }

    private void change(String name, UnaryOperator<Entry> change) {
        synchronized (entries) {
            put(name, change.apply(entry(name)));
        }
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
