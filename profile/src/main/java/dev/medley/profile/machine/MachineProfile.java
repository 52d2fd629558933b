package dev.medley.profile.machine;

import dev.medley.base.text.Units;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a machine and how fast they are. JSON holds all of it, and reads it back.
 *
 * @param wallMillis when its speeds and GPUs were found; before the look where they were kept
 * @param tookNs to find them
 * @param scope how thoroughly
 * @param look when all else was read, and whether speeds were found then or kept. Null, as in the
 *     records of versions that kept nothing, is one that measured
 * @param host name of the machine
 * @param processor cores, limits, instructions
 * @param memory size, limits, bandwidth
 * @param compute the speed of kernels that the caller handed in
 * @param disk of the folder that was asked about
 * @param sharedMemory room in /dev/shm; null where there is none
 * @param gpus that a driver reports
 * @param platform operating system, JVM, virtualisation
 * @param notes sentences for the user: what limits this machine, what makes its figures unsure
 */
public record MachineProfile(
        long wallMillis,
        long tookNs,
        Scope scope,
        Look look,
        String host,
        Processor processor,
        Memory memory,
        List<KernelSpeed> compute,
        Disk disk,
        @Nullable SharedMemory sharedMemory,
        List<Gpu> gpus,
        Platform platform,
        List<String> notes) {
    public MachineProfile {
        compute = List.copyOf(compute);
        gpus = List.copyOf(gpus);
        notes = List.copyOf(notes);
        look =
                Objects.requireNonNullElseGet(
                        look,
                        () ->
                                new Look(
                                        wallMillis,
                                        tookNs,
                                        Speeds.MEASURED,
                                        "measured for its run"));
    }

    /** When and why it was measured, in two sentences. */
    public String measured() {
        String why = look.why();
        return "%s%s. Measuring took %s."
                .formatted(
                        why.substring(0, 1).toUpperCase(Locale.ROOT),
                        why.substring(1),
                        Units.duration((double) tookNs));
    }

    /** Machines of one type are equally fast as far as is known: processor, cores, instructions. */
    public String type() {
        String widest =
                Stream.of("amx_bf16", "avx512_bf16", "avx512f", "avx2", "asimd")
                        .filter(processor.instructions()::contains)
                        .findFirst()
                        .orElse("no vectors known");
        Double quota = processor.quotaCores();
        return String.format(
                Locale.ROOT,
                "%s, %d cores%s, %s",
                processor.model(),
                processor.allowedCores(),
                quota == null ? "" : String.format(Locale.ROOT, " (%.2f granted)", quota),
                widest);
    }

    /**
     * The type, and the memory in GiB: of what a user can rent as one type, both are the same. How
     * fast the memory is no system says without more rights; what is measured of it scatters.
     */
    public String typeAndMemory() {
        return "%s, %d GiB".formatted(type(), Math.round(memory.usableBytes() / 0x1p30));
    }

    /**
     * The same machine that grants another part of itself; what was measured is as it was.
     *
     * @param cores worth of time
     * @param limitBytes of memory; null for no limit
     */
    public MachineProfile granting(double cores, @Nullable Long limitBytes) {
        boolean isWhole = processor.quotaCores() == null && cores >= processor.allowedCores();
        return new MachineProfile(
                wallMillis,
                tookNs,
                scope,
                look,
                host,
                processor.granting(isWhole ? null : cores),
                memory.within(limitBytes),
                compute,
                disk,
                sharedMemory,
                gpus,
                platform,
                notes);
    }

    /** How thoroughly a machine was measured. */
    public enum Scope {
        /** A few seconds, everything. */
        FULL,
        /** A fraction of a second: no disk, few repeats. */
        QUICK
    }

    /** Where a look has its speeds from. */
    public enum Speeds {
        /** Measured in this look. */
        MEASURED,
        /** Of an earlier one: the machine is what it was. */
        KEPT
    }

    /**
     * A look at the machine: limits, room and all that is read and not timed is of this moment.
     *
     * @param wallMillis when it ended
     * @param tookNs with what was measured in it
     * @param speeds whether they were measured or kept
     * @param why a clause, {@code measured on 2026-11-20, nothing has changed since}
     */
    public record Look(long wallMillis, long tookNs, Speeds speeds, String why) {
        public Look {
            Objects.requireNonNull(speeds);
            Objects.requireNonNull(why);
        }
    }

    /**
     * The processor.
     *
     * @param model as the system calls it
     * @param logicalCores of the whole machine
     * @param physicalCores of the whole machine; 0 where the system does not say
     * @param allowedCores that this process may run on
     * @param quotaCores processor time that the cgroup grants, in cores; null for no limit
     * @param lastCacheBytes size of the largest cache; 0 where the system does not say
     * @param instructions those that matter to kernels, as the system names them: {@code avx2},
     *     {@code avx512_bf16}, {@code amx_bf16}, ...
     */
    public record Processor(
            String model,
            int logicalCores,
            int physicalCores,
            int allowedCores,
            @Nullable Double quotaCores,
            long lastCacheBytes,
            List<String> instructions) {
        public Processor {
            instructions = List.copyOf(instructions);
        }

        private Processor granting(@Nullable Double cores) {
            return new Processor(
                    model,
                    logicalCores,
                    physicalCores,
                    allowedCores,
                    cores,
                    lastCacheBytes,
                    instructions);
        }

        /** Cores' worth of time that this process can have. */
        public double usableCores() {
            return quotaCores == null ? allowedCores : Math.min(allowedCores, quotaCores);
        }

        /** Whether there are instructions that multiply bf16, on tiles or vectors. */
        public boolean multipliesBf16() {
            return instructions.stream()
                    .anyMatch(
                            name ->
                                    name.equals("amx_bf16")
                                            || name.equals("avx512_bf16")
                                            || name.equals("avx_ne_convert")
                                            || name.equals("bf16"));
        }
    }

    /**
     * The memory.
     *
     * @param totalBytes of the machine
     * @param availableBytes without pushing others out
     * @param limitBytes of the cgroup; null for no limit
     * @param bandwidthBytesPerSecond read and written together, by all usable cores at once
     */
    public record Memory(
            long totalBytes,
            long availableBytes,
            @Nullable Long limitBytes,
            Figure bandwidthBytesPerSecond) {
        /** The smaller of what the machine has and what the cgroup allows. */
        public long usableBytes() {
            return limitBytes == null ? totalBytes : Math.min(totalBytes, limitBytes);
        }

        private Memory within(@Nullable Long limit) {
            return new Memory(totalBytes, availableBytes, limit, bandwidthBytesPerSecond);
        }

        /** The same with this bandwidth. */
        Memory with(Figure bandwidth) {
            return new Memory(totalBytes, availableBytes, limitBytes, bandwidth);
        }
    }

    /** The speed of one kernel, {@code fp32} say. */
    public record KernelSpeed(String name, Figure flopsPerSecond) {}

    /**
     * A disk.
     *
     * @param folder that was asked about
     * @param device that the file system lies on, as the system calls it
     * @param fileSystem type of the file system
     * @param freeBytes in it
     * @param writeBytesPerSecond until the device has confirmed it
     * @param readBytesPerSecond past the page cache where the file system allows
     */
    public record Disk(
            String folder,
            String device,
            String fileSystem,
            long freeBytes,
            Figure writeBytesPerSecond,
            Figure readBytesPerSecond) {
        /** The same with these speeds. */
        Disk with(Figure write, Figure read) {
            return new Disk(folder, device, fileSystem, freeBytes, write, read);
        }
    }

    /** Memory that processes of one machine can share through files. */
    public record SharedMemory(String folder, long totalBytes, long freeBytes) {}

    /**
     * A GPU.
     *
     * @param name as the driver says
     * @param memoryBytes of its own; 0 where unknown
     * @param driver version
     * @param source who reported it
     */
    public record Gpu(String name, long memoryBytes, String driver, String source) {}

    /**
     * What runs everything.
     *
     * @param system name and version of the operating system
     * @param kernel version
     * @param architecture of the processor
     * @param jvm name and version
     * @param virtualisation {@code none found}, or what was found and how
     */
    public record Platform(
            String system, String kernel, String architecture, String jvm, String virtualisation) {}
}
