package dev.medley.control.coordinator;

import dev.medley.control.coordinator.CoordinatorOptions.Patience;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows workers from their start until they say hello: first their machines may have files to
 * fetch, then their processes begin. Each stage has a longest time of its own, which begins with
 * it. Owned by the coordinator's agent.
 */
final class Arrivals {
    private static final long NS_PER_MILLI = 1_000_000;
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final Patience patience;
    private final Map<Integer, Wait> waits = new TreeMap<>(); // By launch.

    /** How far a worker is. */
    enum Stage {
        /** Its machine fetches what it needs; its process has not begun. */
        FETCHING,
        /** Its process has begun and has not said hello. */
        STARTING
    }

    /** Who did not come to the next stage in time, and why it is not waited for any more. */
    record Overdue(int launch, String why) {}

    private record Wait(Stage stage, long sinceNs) {}

    Arrivals(Patience patience) {
        this.patience = patience;
    }

    /** A worker is on its way. */
    void begin(int launch, Stage stage, long nowNs) {
        waits.put(launch, new Wait(stage, nowNs));
    }

    /** Its machine has what it needs, and its process has begun. */
    void started(int launch, long nowNs) {
        Wait wait = waits.get(launch);
        if (wait != null && wait.stage() == Stage.FETCHING) {
            begin(launch, Stage.STARTING, nowNs);
        }
    }

    /** Whether that one has yet to say hello. */
    boolean isAwaited(int launch) {
        return waits.containsKey(launch);
    }

    /** How many have yet to say hello. */
    int awaited() {
        return waits.size();
    }

    /** It has said hello, or never will; whether it was waited for. */
    boolean remove(int launch) {
        return waits.remove(launch) != null;
    }

    /** One that should have come further by now, not waited for any more; null if none. */
    @Nullable Overdue overdue(long nowNs) {
        for (Map.Entry<Integer, Wait> entry : waits.entrySet()) {
            Stage stage = entry.getValue().stage();
            if (nowNs - entry.getValue().sinceNs() > longestNs(stage)) {
                waits.remove(entry.getKey());
                return new Overdue(entry.getKey(), why(entry.getKey(), stage));
            }
        }
        return null;
    }

    private long longestNs(Stage stage) {
        return switch (stage) {
            case FETCHING -> patience.fetchNs();
            case STARTING -> patience.helloNs();
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
        };
    }
}
