package dev.medley.control.coordinator;

import dev.medley.control.coordinator.CoordinatorOptions.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows workers from their start until they are ready. First their machines may have files to
 * fetch, then their processes begin and say hello, then they load data and model. Each stage has a
 * time limit of its own, which begins with the stage. Long before that time is over, and ever more
 * rarely, the workers that are waited for are reported. Owned by the coordinator's agent.
 */
final class Arrivals {
    /** After which it is said for the first time. */
    static final long REMARKABLE_NS = TimeUnit.MINUTES.toNanos(2);

    private static final long NS_PER_MILLI = 1_000_000;
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final Patience patience;
    private final Map<Integer, Wait> waits = new TreeMap<>(); // By launch.

    /** How far a worker is. */
    enum Stage {
        /** Its machine fetches what it needs; its process has not begun. */
        FETCHING,
        /** Its process has begun and has not said hello. */
        STARTING,
        /** It has said hello and is not ready. */
        LOADING
    }

    /** A worker that was late for the next stage, and why it is not waited for any more. */
    record Overdue(int launch, String why) {}

    /** A worker that has been in a stage for long. */
    record Slow(int launch, Stage stage, long ns) {
        /** For the user, who knows the worker by that name. */
        String sentence(String name) {
            String what =
                    switch (stage) {
                        case FETCHING -> "whose machine has been fetching its files";
                        case STARTING -> "which has been starting";
                        case LOADING -> "which has been loading data and model";
                    };
            return "still waiting for %s, %s for %d min"
                    .formatted(name, what, TimeUnit.NANOSECONDS.toMinutes(ns));
        }
    }

    /** How long one has been where it is, and since when it has shown no progress. */
    private static final class Wait {
        private final Stage stage;
        private final long beganNs;
        private long movedNs;
        private long saidNs = REMARKABLE_NS; // After which it is said next.

        private Wait(Stage stage, long nowNs) {
            this.stage = stage;
            this.beganNs = nowNs;
            this.movedNs = nowNs;
        }
    }

    Arrivals(Patience patience) {
        this.patience = patience;
    }

    /** A worker is in this stage from now on. */
    void begin(int launch, Stage stage, long nowNs) {
        waits.put(launch, new Wait(stage, nowNs));
    }

    /** Its machine has what it needs, and its process has begun. */
    void started(int launch, long nowNs) {
        Wait wait = waits.get(launch);
        if (wait != null && wait.stage == Stage.FETCHING) {
            begin(launch, Stage.STARTING, nowNs);
        }
    }

    /** It has said hello. */
    void greeted(int launch, long nowNs) {
        begin(launch, Stage.LOADING, nowNs);
    }

    /** It shows that it gets on: the time of its stage begins anew. */
    void moved(int launch, long nowNs) {
        Wait wait = waits.get(launch);
        if (wait != null) {
            wait.movedNs = nowNs;
        }
    }

    /** Whether that one has yet to say hello. */
    boolean isAwaited(int launch) {
        Wait wait = waits.get(launch);
        return wait != null && wait.stage != Stage.LOADING;
    }

    /** Whether that one has said hello and is not ready. */
    boolean isLoading(int launch) {
        Wait wait = waits.get(launch);
        return wait != null && wait.stage == Stage.LOADING;
    }

    /** How many have yet to say hello. */
    int awaited() {
        return (int) waits.keySet().stream().filter(this::isAwaited).count();
    }

    /** It is ready, or never will be; whether it had yet to say hello. */
    boolean remove(int launch) {
        boolean isAwaited = isAwaited(launch);
        waits.remove(launch);
        return isAwaited;
    }

    /** One that should have come further by now, not waited for any more; null if none. */
    @Nullable Overdue overdue(long nowNs) {
        for (Map.Entry<Integer, Wait> entry : waits.entrySet()) {
            Stage stage = entry.getValue().stage;
            if (nowNs - entry.getValue().movedNs > longestNs(stage)) {
                waits.remove(entry.getKey());
                return new Overdue(entry.getKey(), why(entry.getKey(), stage));
            }
        }
        return null;
    }

    /** Those of whom it is time to say that they are waited for. */
    List<Slow> slow(long nowNs) {
        List<Slow> slow = new ArrayList<>();
        waits.forEach(
                (launch, wait) -> {
                    long ns = nowNs - wait.beganNs;
                    if (ns >= wait.saidNs) {
                        wait.saidNs = 2 * ns;
                        slow.add(new Slow(launch, wait.stage, ns));
                    }
                });
        return slow;
    }

    private long longestNs(Stage stage) {
        return switch (stage) {
            case FETCHING -> patience.fetchNs();
            case STARTING -> patience.helloNs();
            case LOADING -> patience.readyNs();
        };
    }

    private String why(int launch, Stage stage) {
        return switch (stage) {
            case FETCHING ->
                    "worker-%d did not start within %d s: its machine has not fetched its files"
                            .formatted(launch, patience.fetchNs() / NS_PER_SECOND);
            case STARTING ->
                    "worker-%d did not join within %d ms of its start: see its log"
                            .formatted(launch, patience.helloNs() / NS_PER_MILLI);
            case LOADING ->
                    "it showed no progress in loading data and model for %d s: see its log"
                            .formatted(patience.readyNs() / NS_PER_SECOND);
        };
    }
}
