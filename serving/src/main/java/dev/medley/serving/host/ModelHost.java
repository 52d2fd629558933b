package dev.medley.serving.host;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.onnx.engine.Pace;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.traffic.VersionTraffic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

    /** Guards loading and unloading; never held while a request is answered. */
    private final Object loading = new Object();

    private final ModelTable models;
    private volatile boolean isClosed;

    /** Without models, and with as much memory for them as there is. */
    public ModelHost(ServeLimits limits, Clock clock) {
        this(limits, MemoryBudget.measured(), clock);
    }

    /** The same with a budget. */
    public ModelHost(ServeLimits limits, MemoryBudget memory, Clock clock) {
        this.limits = limits;
        this.memory = memory;
        this.clock = clock;
        SwapWaits waits = new SwapWaits(limits.batches().mostWaitingRows(), swaps, clock);
        models = new ModelTable(waits, clock);
    }

    /** How versions took the place of others. */
    public SwapFigures swaps() {
        return swaps;
    }

    /** All names, with what is there of each. */
    public Map<String, ModelEntry> entries() {
        return models.entries();
    }

    /**
     * Names a model that is not loaded yet, so that it can be asked for.
     *
     * @throws ConfigException if the name is taken
     */
    public void add(ModelName name, Path folder) {
        synchronized (loading) {
            ConfigException.check(
                    !models.entries().containsKey(name.name()),
                    "two models are called %s: give names, as NAME=FOLDER",
                    name.name());
            models.put(
                    name.name(), new ModelEntry(folder, name.version(), List.of(), "not loaded"));
        }
    }

    /**
     * Loads a model's version, and has it answer in place of others from then on.
     *
     * @throws ConfigException if it cannot be loaded; what answered before still does
     */
    public ServedModel load(ModelName name, Path folder) {
        synchronized (loading) {
            ModelEntry before = models.entries().get(name.name());
            ServedModel answering = before == null ? null : before.current();
            ServedModel loaded =
                    ServedModel.load(
                            name, folder, limits, models.pace(name.name()), answering, clock);
            models.put(name.name(), new ModelEntry(folder, name.version(), List.of(loaded), ""));
            if (before != null) {
                before.versions().forEach(ServedModel::retire);
            }
            endIfClosed();
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
            ModelEntry before = entry(name.name());
            ServedModel old = before.current();
            ServedModel ready = before.find(name.version());
            if (ready != null) {
                models.put(name.name(), new ModelEntry(folder, name.version(), List.of(ready), ""));
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
        long old = going.stream().mapToLong(ServedModel::bytes).sum();
        long guess = MemoryBudget.onDisk(folder) + models.overhead(name.name());
        MemoryBudget.Choice choice = memory.choose(models.bytes(), old, guess);
        ConfigException.check(
                choice.way() != MemoryBudget.Way.REFUSED, "%s: no room: %s", name, choice.why());
        return choice;
    }

    /** Closes the old one, loads the new one, or the old one again where that fails. */
    private ServedModel drained(ModelName name, Path folder, ModelEntry before, ServedModel old) {
        LOG.info("{} is closed before {} is loaded; requests wait", old.name(), name);
        CompletableFuture<Void> swap = new CompletableFuture<>();
        String trouble = "it is being replaced";
        models.put(
                name.name(),
                new ModelEntry(before.folder(), before.version(), List.of(), trouble, null, swap));
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
            ModelEntry now = entry(name.name());
            if (now.swap() != null) { // Nothing could be loaded: requests are told so.
                models.put(
                        name.name(), new ModelEntry(now.folder(), now.version(), List.of(), LOST));
            }
            swap.complete(null);
        }
    }

    /** Whether a version was closed for another one, and none could be loaded since. */
    public boolean isLost(String name) {
        ModelEntry entry = entry(name);
        return entry.current() == null && entry.trouble().equals(LOST);
    }

    /**
     * Loads a version beside the one that answers, for those who ask for it and for traffic.
     *
     * @throws ConfigException if it has no room or cannot be loaded
     */
    public void loadBeside(ModelName name, Path folder) {
        synchronized (loading) {
            ModelEntry before = entry(name.name());
            if (before.find(name.version()) != null) {
                return;
            }
            choice(name, folder, List.of());
            ServedModel loaded =
                    ServedModel.load(name, folder, limits, Pace.QUARTER, before.current(), clock);
            models.change(
                    name.name(),
                    entry -> {
                        List<ServedModel> all = new ArrayList<>(List.of(loaded));
                        all.addAll(entry.versions());
                        return entry.with(all);
                    });
            endIfClosed();
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
        models.change(name, entry -> entry.directed(traffic));
    }

    /** Takes versions out of memory that are not named, but never the one that answers. */
    public void keepOnly(String name, Set<String> versions) {
        synchronized (loading) {
            List<ServedModel> gone = new ArrayList<>();
            models.change(
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
            ModelEntry entry = entry(name);
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
            ModelEntry entry = entry(name);
            models.put(
                    name, new ModelEntry(entry.folder(), entry.version(), List.of(), "unloaded"));
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
        return models.hold(name, version);
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
        return models.take(name, version, key, deadlineNs);
    }

    /** How a version of a name is to be tried. */
    Pace pace(String name) {
        return models.pace(name);
    }

    /** What is known of a name; a {@link ServingFailure} where nothing is. */
    public ModelEntry entry(String name) {
        return models.entry(name);
    }

    /** Whether all models answer, or will when a version is replaced. */
    public boolean isReady() {
        return models.isReady();
    }

    /**
     * Answers what is under way, and closes all models. It waits for no model that is being loaded,
     * whose folder may hang: that one is closed when it comes.
     */
    @Override
    public void close() {
        isClosed = true;
        end();
    }

    private void endIfClosed() {
        if (isClosed) {
            end();
        }
    }

    private void end() {
        models.clear().values().forEach(entry -> entry.versions().forEach(ServedModel::retire));
    }
}
