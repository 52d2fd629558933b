package dev.medley.control.coordinator;

import dev.medley.base.job.ClusterSpec;

/**
 * What a coordinator needs to know.
 *
 * @param cluster how many workers, and how patient to be
 * @param version the build of Medley; workers of another are refused
 * @param startTimeoutNs longest time from starting a worker to its hello, and from its hello to
 *     ready
 * @param joinTimeoutNs longest time in which there are not enough machines
 */
public record CoordinatorOptions(
        ClusterSpec cluster, String version, long startTimeoutNs, long joinTimeoutNs) {}
