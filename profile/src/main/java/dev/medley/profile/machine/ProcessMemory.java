package dev.medley.profile.machine;

import org.jspecify.annotations.Nullable;

/** Memory of this process that is in RAM. */
public final class ProcessMemory {
    private ProcessMemory() {}

    /**
     * Resident bytes, shared ones included; the JVM's own heap where the system does not say. Takes
     * some microseconds: fine once a step.
     */
    public static long residentBytes() {
        Long kib = SystemFiles.REAL.numberAfter("/proc/self/status", "VmRSS");
        return orHeap(kib);
    }

    private static long orHeap(@Nullable Long kib) {
        Runtime runtime = Runtime.getRuntime();
        return kib != null ? kib << 10 : runtime.totalMemory() - runtime.freeMemory();
    }
}
