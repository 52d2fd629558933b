package dev.medley.profile.machine;

import dev.medley.base.Clock;
import dev.medley.profile.Units;
import dev.medley.profile.machine.MachineProfile.Disk;
import dev.medley.profile.machine.MachineProfile.KernelSpeed;
import dev.medley.profile.machine.MachineProfile.Memory;
import dev.medley.profile.machine.MachineProfile.Platform;
import dev.medley.profile.machine.MachineProfile.Processor;
import dev.medley.profile.machine.MachineProfile.Scope;
import dev.medley.profile.machine.MachineProfile.SharedMemory;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures the machine that this process runs on, within its limits. Measure while nothing else
 * runs: the figures are what is left by others.
 */
public final class MachineProbe {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long FULL_KERNEL_NS = 600_000_000L;
    private static final long QUICK_KERNEL_NS = 60_000_000L;
    private static final double NOTABLE_STEAL = 0.02;

    private final Clock clock;
    private final Path diskFolder;
    private final List<ComputeKernel> kernels;
    private final SystemFiles files = SystemFiles.REAL;
    private final Cgroup cgroup = Cgroup.of(files);

    /**
     * A probe.
     *
     * @param clock that times everything
     * @param diskFolder whose disk is measured, that of the runs and the data cache
     * @param kernels to time, usually matrix products in fp32 and bf16
     */
    public MachineProbe(Clock clock, Path diskFolder, List<ComputeKernel> kernels) {
        this.clock = clock;
        this.diskFolder = diskFolder;
        this.kernels = List.copyOf(kernels);
    }

    /** Everything, in a few seconds; writes a file of 64 MiB into the disk's folder for a while. */
    public MachineProfile measure() {
        return measure(Scope.FULL);
    }

    /** What a planner needs when a worker joins, in a fraction of a second; writes nothing. */
    public MachineProfile quick() {
        return measure(Scope.QUICK);
    }

    private MachineProfile measure(Scope scope) {
        boolean isFull = scope == Scope.FULL;
        long startNs = clock.nowNs();
        long[] ticksBefore = processorTicks();
        Processor processor = new ProcessorProbe(files, cgroup).probe();
        Memory memory = new MemoryProbe(files, cgroup, clock).probe(processor, scope);
        KernelProbe timer = new KernelProbe(clock);
        List<KernelSpeed> compute = new ArrayList<>();
        for (ComputeKernel kernel : kernels) {
            compute.add(timer.probe(kernel, isFull ? FULL_KERNEL_NS : QUICK_KERNEL_NS));
        }
        DiskProbe disks = new DiskProbe(clock);
        Disk disk = isFull ? disks.probe(diskFolder) : disks.look(diskFolder);
        Platform platform = new PlatformProbe(files).probe();
        SharedMemory shared = sharedMemory();
        return new MachineProfile(
                clock.wallMillis(),
                clock.nowNs() - startNs,
                scope,
                host(),
                processor,
                memory,
                compute,
                disk,
                shared,
                isFull ? GpuProbe.probe() : GpuProbe.nvidia("nvidia-smi"),
                platform,
                notes(processor, memory, shared, platform, steal(ticksBefore)));
    }

    private static List<String> notes(
            Processor processor,
            Memory memory,
            @Nullable SharedMemory shared,
            Platform platform,
            double steal) {
        List<String> notes = new ArrayList<>();
        if (processor.quotaCores() != null) {
            notes.add(
                    String.format(
                            Locale.ROOT,
                            "A cgroup grants %.2f cores' worth of time: more threads than that are"
                                    + " stopped now and then.",
                            processor.quotaCores()));
        }
        if (processor.allowedCores() < processor.logicalCores()) {
            notes.add(
                    "This process may use "
                            + processor.allowedCores()
                            + " of the machine's "
                            + processor.logicalCores()
                            + " cores.");
        }
        if (memory.limitBytes() != null && memory.limitBytes() < memory.totalBytes()) {
            notes.add(
                    "A cgroup limits memory to "
                            + Units.bytes((double) memory.limitBytes())
                            + ": beyond it the kernel kills.");
        }
        if (shared == null || shared.freeBytes() < (256L << 20)) {
            notes.add("/dev/shm has little room: workers will exchange over TCP.");
        }
        if (platform.virtualisation().contains("virtual machine")) {
            notes.add("On a virtual machine all speeds vary with the neighbours.");
        }
        if (steal > NOTABLE_STEAL) {
            notes.add(
                    "The host took "
                            + Units.percent(steal)
                            + " of the processor's time away while this was measured.");
        }
        return notes;
    }

    private @Nullable SharedMemory sharedMemory() {
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

    private double steal(long[] before) {
        long[] now = processorTicks();
        long all = now[0] - before[0];
        return all == 0 ? 0 : (double) (now[1] - before[1]) / all;
    }
}
