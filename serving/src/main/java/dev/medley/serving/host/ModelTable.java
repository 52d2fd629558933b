package dev.medley.serving.host;

import dev.medley.base.text.DidYouMean;
import dev.medley.base.time.Clock;
import dev.medley.onnx.engine.Pace;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.traffic.VersionCount;
import dev.medley.serving.traffic.VersionTraffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the version of a model that answers a request. Who looks sees the table of one moment, and
 * waits for nobody who changes it.
 *
 * <p>Thread: any.
 */
final class ModelTable {
    private final SwapWaits waits;
    private final Clock clock;

    /** Guards changes of the map, for a moment each. */
    private final Object changes = new Object();

    private volatile Map<String, ModelEntry> models = Map.of();

    /**
     * Empty.
     *
     * @param waits where requests wait for the end of a swap
     */
    ModelTable(SwapWaits waits, Clock clock) {
        this.waits = waits;
        this.clock = clock;
    }

    /** All names, with what is there of each. */
    Map<String, ModelEntry> entries() {
        return models;
    }

    /**
     * A model to answer with.
     *
     * @param version null for the one that answers by default
     * @throws ServingFailure if there is none, or it is not ready
     */
    HeldModel hold(String name, @Nullable String version) {
        while (true) {
            ModelEntry entry = entry(name);
            ServedModel found = version == null ? entry.current() : entry.find(version);
            if (found == null) {
                throw missing(name, version, entry);
            }
            if (found.hold()) {
                return new HeldModel(found);
            }
            // It was replaced in between: look again.
        }
    }

    /** A model for a request; while its version is replaced, it waits until a deadline. */
    CompletableFuture<HeldModel> take(
            String name, @Nullable String version, String key, long deadlineNs) {
        try {
            ModelEntry entry = entry(name);
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
        ServedModel found = entry(name).find("" + chosen);
        VersionCount count = traffic.count(chosen);
        if (found == null || count == null || !found.hold()) {
            return hold(name, null); // The plan is over, or its version was taken away.
        }
        return new HeldModel(found, traffic, count.begin(key, clock.nowNs()));
    }

    private static ServingFailure missing(String name, @Nullable String version, ModelEntry entry) {
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

    /** What is known of a name; a {@link ServingFailure} where nothing is. */
    ModelEntry entry(String name) {
        ModelEntry entry = models.get(name);
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
    boolean isReady() {
        return models.values().stream()
                .noneMatch(entry -> entry.versions().isEmpty() && entry.swap() == null);
    }

    /** Sets what is there under a name. */
    void put(String name, ModelEntry entry) {
        synchronized (changes) {
            Map<String, ModelEntry> changed = new TreeMap<>(models);
            changed.put(name, entry);
            models = Collections.unmodifiableMap(changed);
        }
    }

    /** Changes what is there under a name. */
    void change(String name, UnaryOperator<ModelEntry> change) {
        synchronized (changes) {
            put(name, change.apply(entry(name)));
        }
    }

    /** Memory of all versions. */
    long bytes() {
        return models.values().stream()
                .flatMap(entry -> entry.versions().stream())
                .mapToLong(ServedModel::bytes)
                .sum();
    }

    /** What the version that answers needs beyond its files. */
    long overhead(String name) {
        ServedModel current = entry(name).current();
        return current == null ? 0 : Math.max(0, current.bytes() - current.diskBytes());
    }

    /** Slower where others answer meanwhile, but not while requests wait for this one. */
    Pace pace(String name) {
        ModelEntry entry = models.get(name);
        boolean isAwaited = entry != null && entry.swap() != null;
        boolean doOthersAnswer = models.values().stream().anyMatch(each -> each.current() != null);
        return doOthersAnswer && !isAwaited ? Pace.QUARTER : Pace.FULL;
    }

    /** Takes all out, and says what was there. */
    Map<String, ModelEntry> clear() {
        synchronized (changes) {
            Map<String, ModelEntry> all = models;
            models = Map.of();
            return all;
        }
    }
}
