package dev.medley.profile.machine;

import dev.medley.base.text.Units;
import dev.medley.profile.machine.MachineProfile.Disk;
import dev.medley.profile.machine.MachineProfile.Look;
import dev.medley.profile.machine.MachineProfile.Memory;
import dev.medley.profile.machine.MachineProfile.Platform;
import dev.medley.profile.machine.MachineProfile.Processor;
import dev.medley.profile.machine.MachineProfile.SharedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a machine that are read and not timed. Some change at any moment, so they are never
 * kept.
 *
 * @param host name of the machine
 * @param processor cores, limits, instructions
 * @param memory of unknown bandwidth
 * @param disk of unknown speeds
 * @param sharedMemory room in /dev/shm; null where there is none
 * @param platform operating system, JVM, virtualisation
 */
record MachineFacts(
        String host,
        Processor processor,
        Memory memory,
        Disk disk,
        @Nullable SharedMemory sharedMemory,
        Platform platform) {
    private static final double NOTABLE_STOLEN = 0.02;

    /** All of the machine: as it is seen here, and as fast as it was measured. */
    MachineProfile with(MachineSpeeds speeds, Look look) {
        return new MachineProfile(
                speeds.wallMillis(),
                speeds.tookNs(),
                speeds.scope(),
                look,
                host,
                processor,
                memory.with(speeds.memoryBytesPerSecond()),
                speeds.compute(),
                speeds.of(disk),
                sharedMemory,
                speeds.gpus(),
                platform,
                notes(speeds.stolen()));
    }

    /** Notes on what limits this machine, and on what makes its figures unsure. */
    private List<String> notes(double stolen) {
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
        if (sharedMemory == null || sharedMemory.freeBytes() < (256L << 20)) {
            notes.add("/dev/shm has little room: workers will exchange over TCP.");
        }
        if (platform.virtualisation().contains("virtual machine")) {
            notes.add("On a virtual machine all speeds vary with the neighbours.");
        }
        if (stolen > NOTABLE_STOLEN) {
            notes.add(
                    "The host took "
                            + Units.percent(stolen)
                            + " of the processor's time away while this was measured.");
        }
        return notes;
    }
}
