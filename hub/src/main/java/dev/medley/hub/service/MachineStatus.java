package dev.medley.hub.service;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows one machine of a fleet.
 *
 * @param name by which its agent joined
 * @param type machines of one type are alike: processor, cores, memory, GPU
 * @param health free, busy, leaving (warned), lost, or refused, with a sentence
 * @param jobs ids of jobs that it serves
 * @param pricePerHour null where nobody said it
 * @param heardAgoS seconds since its agent was last heard
 */
public record MachineStatus(
        String name,
        String type,
        String site,
        String health,
        List<Long> jobs,
        boolean spot,
        @Nullable Double pricePerHour,
        double heardAgoS) {
    public MachineStatus {
        jobs = List.copyOf(jobs);
    }
}
