package dev.medley.control.coordinator;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.JoinSpec;

/**
 * What a coordinator needs to know.
 *
 * @param cluster how many workers, and how patient to be
 * @param run its name
 * @param job of the run; workers of another are refused
 * @param version the build of Medley; workers of another are refused
 * @param startTimeoutNs longest time from starting a worker to its hello, and from its hello to
 *     ready
 * @param joinTimeoutNs longest time in which there are not enough machines
 * @param begin whether the first group waits for workers that take much longer to be ready
 */
public record CoordinatorOptions(
        ClusterSpec cluster,
        String run,
        JobIdentity job,
        String version,
        long startTimeoutNs,
        long joinTimeoutNs,
        JoinSpec.Begin begin) {}
