package dev.medley.profile.machine;

import dev.medley.base.time.Clock;
import dev.medley.profile.machine.MachineProfile.KernelSpeed;
import dev.medley.profile.machine.MachineProfile.Scope;
import dev.medley.profile.machine.MachineProfile.SharedMemory;
import dev.medley.profile.system.Cgroup;
import dev.medley.profile.system.SystemFiles;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sees what the machine of this process has, which takes a few milliseconds, and measures how fast
 * it is, within the process's limits. Measure while nothing else runs: the figures are what is left
 * by others.
 *
 * <p>Thread: any.
 */
public final class MachineProbe {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long FULL_KERNEL_NS = 600_000_000L;
    private static final long QUICK_KERNEL_NS = 60_000_000L;

    private final Clock clock;
    private final Path diskFolder;
    private final List<ComputeKernel> kernels;
    private final SystemFiles files;

    /**
     * A probe.
     *
     * @param clock that times everything
     * @param diskFolder whose disk is measured, that of the runs and the data cache
     * @param kernels to time, usually matrix products in fp32 and bf16
     */
    public MachineProbe(Clock clock, Path diskFolder, List<ComputeKernel> kernels) {
        this(clock, diskFolder, kernels, SystemFiles.REAL);
    }

    /** A probe of a system whose small files are these. */
    MachineProbe(
            Clock clock, Path diskFolder, List<ComputeKernel> kernels, SystemFiles systemFiles) {
        this.clock = clock;
        this.diskFolder = diskFolder;
        this.kernels = List.copyOf(kernels);
        this.files = systemFiles;
    }

    /** As it is now: a process may be moved to another control group while it lives. */
    MachineFacts look() {
        Cgroup cgroup = Cgroup.of(files);
        return new MachineFacts(
                host(),
                new ProcessorProbe(files, cgroup).probe(),
                MemoryProbe.look(files, cgroup),
                DiskProbe.look(diskFolder),
                sharedMemory(),
                new PlatformProbe(files).probe());
    }

    /** The identity for which figures taken now will hold. */
    MachineIdentity identity(MachineFacts seen) {
        return MachineIdentity.of(files, seen);
    }

    /**
     * Everything that has to be timed or asked of programs: in a few seconds, with a file of 64 MiB
     * in the disk's folder for a while; or in a fraction of a second, and nothing is written.
     */
    MachineSpeeds measure(MachineFacts seen, Scope scope) {
        boolean isFull = scope == Scope.FULL;
        long startNs = clock.nowNs();
        long[] ticksBefore = processorTicks();
        Figure bandwidth = new MemoryProbe(clock).bandwidth(seen.processor(), scope);
        KernelProbe timer = new KernelProbe(clock);
        List<KernelSpeed> compute = new ArrayList<>();
        for (ComputeKernel kernel : kernels) {
            compute.add(timer.probe(kernel, isFull ? FULL_KERNEL_NS : QUICK_KERNEL_NS));
        }
        DiskProbe.Speed disk =
                isFull
                        ? new DiskProbe(clock).probe(diskFolder)
                        : new DiskProbe.Speed(
                                seen.disk().writeBytesPerSecond(),
                                seen.disk().readBytesPerSecond());
        return new MachineSpeeds(
                clock.wallMillis(),
                clock.nowNs() - startNs,
                scope,
                bandwidth,
                compute,
                seen.disk().with(disk.write(), disk.read()),
                isFull ? GpuProbe.probe() : GpuProbe.nvidia("nvidia-smi"),
                stolen(ticksBefore));
    }

    private static @Nullable SharedMemory sharedMemory() {
        try {
            FileStore store = Files.getFileStore(SHARED_MEMORY);
            return new SharedMemory(
                    SHARED_MEMORY.toString(), store.getTotalSpace(), store.getUsableSpace());
        } catch (IOException e) {
            return null;
        }
    }

    private String host() {
        String name = files.text("/proc/sys/kernel/hostname");
        String fromEnvironment = System.getenv("COMPUTERNAME");
        return name != null ? name : fromEnvironment != null ? fromEnvironment : "this machine";
    }

    /** Ticks of all cores: all, and those that the host took. */
    private long[] processorTicks() {
        for (String line : files.lines("/proc/stat")) {
            if (line.startsWith("cpu ")) {
                String[] parts = line.strip().split("\\s+", -1);
                long all = 0;
                for (int i = 1; i < Math.min(parts.length, 9); i++) {
                    all += Long.parseLong(parts[i]);
                }
                return new long[] {all, parts.length > 8 ? Long.parseLong(parts[8]) : 0};
            }
        }
        return new long[] {0, 0};
    }

    /** The part of all processor time that the host took since. */
    private double stolen(long[] before) {
        long[] now = processorTicks();
        long all = now[0] - before[0];
        return all == 0 ? 0 : (double) (now[1] - before[1]) / all;
    }
}
