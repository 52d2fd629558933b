package dev.medley.control.failure;

import dev.medley.plan.source.PlanSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a worker that ran out of memory. One that has room for the model is
 * started anew and gets its share in smaller parts. Owned by the coordinator's agent.
 */
public final class Remedies {
    private final PlanSource plans;
    private final Map<Integer, Integer> trying = new HashMap<>(); // Samples, by launch.
    private final Map<Integer, String> machines = new HashMap<>(); // Types, by launch.

    /** Asks {@code plans} for smaller parts. */
    public Remedies(PlanSource plans) {
        this.plans = plans;
    }

    /** A worker has come, on a machine of that type, which may be gone when it is asked for. */
    public void came(int launch, String machine) {
        machines.put(launch, machine);
    }

    /** A worker tries so many samples at once, before it is a member. */
    public void tries(int launch, int samples) {
        trying.put(launch, samples);
    }

    /** What is done for a member, in words for the user; null for nothing. */
    @Nullable
    public String ofMember(@Nullable Integer launch) {
        return plans.outOfMemory(machine(launch));
    }

    /** What is done for a newcomer; null for one that had no memory for the model itself. */
    @Nullable
    public String ofNewcomer(@Nullable Integer launch) {
        Integer samples = launch == null ? null : trying.get(launch);
        return samples == null ? null : plans.outOfMemoryTrying(machine(launch), samples);
    }

    private String machine(@Nullable Integer launch) {
        return launch == null ? "" : machines.getOrDefault(launch, "");
    }
}
