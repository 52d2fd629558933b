package dev.medley.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Reads the memory limit that a container or service manager sets, from the cgroup of this process,
 * version 2 or 1.
 */
final class Limits {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final long NO_LIMIT = 1L << 60;

    private Limits() {}

    /** Most bytes of memory; empty for no limit. */
    static OptionalLong memoryBytes() {
        OptionalLong two = number(ROOT.resolve("memory.max"));
        return two.isPresent() ? two : number(ROOT.resolve("memory/memory.limit_in_bytes"));
    }

    private static OptionalLong number(Path file) {
        try {
            String text = Files.readString(file).strip();
            long value = text.matches("\\d{1,18}") ? Long.parseLong(text) : NO_LIMIT;
            return value < NO_LIMIT ? OptionalLong.of(value) : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
