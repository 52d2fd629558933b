package dev.medley.control.coordinator;

import dev.medley.base.job.ClusterSpec;
import java.util.function.BooleanSupplier;

/**
 * What a coordinator needs to know.
 *
 * @param cluster how many workers, and how patient to be
 * @param version of Medley; workers of another version are refused
 * @param startTimeoutNs longest time from starting a worker to its hello, and from its hello to
 *     ready
 * @param killedForMemory whether the kernel has killed a process of this machine for lack of memory
 *     since the last call
 */
public record CoordinatorOptions(
        ClusterSpec cluster,
        String version,
        long startTimeoutNs,
        BooleanSupplier killedForMemory) {}
