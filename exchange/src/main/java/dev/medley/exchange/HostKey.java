package dev.medley.exchange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Computes a key that two processes share exactly if they can share memory. */
final class HostKey {
    private static final String KEY = find();

    private HostKey() {}

    static String of() {
        return KEY;
    }

    /**
     * The boot names the kernel, device and inode the folder whatever it is mounted as, the user
     * who may open what.
     */
    private static String find() {
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            Object device = Files.getAttribute(Path.of("/dev/shm"), "unix:dev");
            Object inode = Files.getAttribute(Path.of("/dev/shm"), "unix:ino");
            Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            return boot + "/" + device + "/" + inode + "/" + user;
        } catch (IOException | RuntimeException e) {
            return "alone-" + UUID.randomUUID();
        }
    }
}
