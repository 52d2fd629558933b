package dev.medley.profile.machine;

import dev.medley.profile.machine.MachineProfile.Disk;
import dev.medley.profile.machine.MachineProfile.Gpu;
import dev.medley.profile.machine.MachineProfile.KernelSpeed;
import dev.medley.profile.machine.MachineProfile.Scope;
import java.util.List;
import java.util.Objects;

/**
 * The facts of a machine that take time to find, and stay as long as the machine does ({@link
 * MachineIdentity}).
 *
 * @param wallMillis when it was found
 * @param tookNs to find it
 * @param scope how thoroughly
 * @param memoryBytesPerSecond read and written together, by all usable cores at once
 * @param compute the speed of kernels
 * @param disk that was measured; another folder's may be another
 * @param gpus that a driver reports
 * @param stolen the part of the processor's time that the host took away meanwhile
 */
record MachineSpeeds(
        long wallMillis,
        long tookNs,
        Scope scope,
        Figure memoryBytesPerSecond,
        List<KernelSpeed> compute,
        Disk disk,
        List<Gpu> gpus,
        double stolen) {
    MachineSpeeds {
        Objects.requireNonNull(scope);
        Objects.requireNonNull(memoryBytesPerSecond);
        Objects.requireNonNull(disk);
        compute = List.copyOf(compute);
        gpus = List.copyOf(gpus);
    }

    /**
     * Whether they may be kept. A measurement that was cut short, or a driver that did not answer,
     * would be believed for weeks. What the host took meanwhile is no reason: in a quick look one
     * tick of the clock is a seventh of it; it is noted beside the figures.
     */
    boolean areWhole(MachineIdentity identity) {
        return memoryBytesPerSecond.exists() && (!gpus.isEmpty() || !identity.hasNvidia());
    }

    /** A disk of now with its speeds, if it is the one that was measured. */
    Disk of(Disk now) {
        boolean isKnown =
                disk.writeBytesPerSecond().exists()
                        && now.device().equals(disk.device())
                        && now.fileSystem().equals(disk.fileSystem());
        boolean isWhyNot =
                !disk.writeBytesPerSecond().exists() && now.folder().equals(disk.folder());
        return isKnown || isWhyNot
                ? now.with(disk.writeBytesPerSecond(), disk.readBytesPerSecond())
                : now;
    }
}
