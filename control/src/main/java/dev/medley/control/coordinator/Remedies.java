package dev.medley.control.coordinator;

import dev.medley.control.planner.PlanSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a worker that ran out of memory. One that has room for the model is
 * started anew and gets its share in smaller parts. Owned by the coordinator's agent.
 */
final class Remedies {
    private final PlanSource plans;
    private final Map<Integer, Integer> trying = new HashMap<>(); // Samples, by launch.
    private final Map<Integer, String> machines = new HashMap<>(); // Types, by launch.

    Remedies(PlanSource plans) {
        this.plans = plans;
    }

    /** A worker has come, on a machine of that type, which may be gone when it is asked for. */
    void came(int launch, String machine) {
        machines.put(launch, machine);
    }

    /** A worker tries so many samples at once, before it is a member. */
    void tries(int launch, int samples) {
        trying.put(launch, samples);
    }

    /** What is done, for the user; null for a worker that had no memory for the model itself. */
    @Nullable String of(@Nullable Integer launch, boolean isMember) {
        String machine = launch == null ? "" : machines.getOrDefault(launch, "");
        if (isMember) {
            return plans.outOfMemory(machine);
        }
        Integer samples = launch == null ? null : trying.get(launch);
        return samples == null ? null : plans.outOfMemoryTrying(machine, samples);
    }
}
