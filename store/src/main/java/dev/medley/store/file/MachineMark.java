package dev.medley.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells machines, and containers of one machine, apart in names of files that are under way: their
 * process ids may be the same.
 */
final class MachineMark {
    /** Eight digits of this machine; the same after it was switched off. */
    static final String OWN = of(said("/etc/machine-id"), said("/proc/sys/kernel/hostname"));

    private MachineMark() {}

    static String of(String machine, String host) {
        String named = System.getenv().getOrDefault("COMPUTERNAME", ""); // On Windows.
        long hash = 31L * (31L * machine.hashCode() + host.hashCode()) + named.hashCode();
        return "%08x".formatted((int) (hash ^ hash >>> 32));
    }

    private static String said(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            return ""; // Not on this system.
        }
    }
}
