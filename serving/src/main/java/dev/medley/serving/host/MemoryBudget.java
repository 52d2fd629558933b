package dev.medley.serving.host;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.text.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * Bounds the memory of models: a number of bytes for all of them, or what the machine has free.
 *
 * @param roomBytes for one more, where so many are held
 * @param words what it is, for people
 */
public record MemoryBudget(LongUnaryOperator roomBytes, String words) {
    private static final Path PROCESS = Path.of("/proc/self/status");
    private static final Path MACHINE = Path.of("/proc/meminfo");
    private static final Path GROUP = Path.of("/sys/fs/cgroup");

    /** What a new version asks for before it is loaded. */
    public enum Way {
        /** The old one answers until the new one is ready. */
        BESIDE,
        /** The old one is closed first; requests wait until the new one is ready. */
        DRAINED,
        /** It has no room at all. */
        REFUSED
    }

    /**
     * A way to load a version.
     *
     * @param why a sentence
     */
    public record Choice(Way way, String why) {}

    /** All models together have so many bytes. */
    public static MemoryBudget of(long bytes) {
        check(bytes > 0, "a memory of %d bytes for models: give more than 0", bytes);
        return new MemoryBudget(held -> bytes - held, "--memory " + Units.bytes((double) bytes));
    }

    /** As much as is free at the moment. */
    public static MemoryBudget measured() {
        return new MemoryBudget(held -> freeBytes(), "what is free");
    }

    /**
     * How a version takes the place of another.
     *
     * @param heldBytes of all models that are loaded
     * @param oldBytes of the one that goes; 0 where none goes
     * @param newBytes of the one that comes, by a guess
     */
    public Choice choose(long heldBytes, long oldBytes, long newBytes) {
        long room = roomBytes.applyAsLong(heldBytes);
        if (newBytes <= room) {
            return new Choice(
                    Way.BESIDE,
                    "the new version needs about %s and %s are left"
                            .formatted(Units.bytes((double) newBytes), Units.bytes((double) room)));
        }
        String sentence =
                "the new version needs about %s, and of %s only %s are left beside the old one,"
                        + " which has %s";
        String why =
                sentence.formatted(
                        Units.bytes((double) newBytes),
                        words,
                        Units.bytes((double) Math.max(0, room)),
                        Units.bytes((double) oldBytes));
        boolean isEnough = oldBytes > 0 && newBytes <= room + oldBytes;
        return new Choice(isEnough ? Way.DRAINED : Way.REFUSED, why);
    }

    /** Bytes of a model's files. */
    static long onDisk(Path model) {
        long sum = 0;
        try (Stream<Path> files = Files.list(model)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sum += Files.size(file);
            }
        } catch (IOException e) {
            return sum; // Who loads it says what is wrong.
        }
        return sum;
    }

    /** Bytes that this process has in memory; 0 where the system does not tell. */
    static long residentBytes() {
        return Math.max(0, kilobytes(PROCESS, "VmRSS:"));
    }

    /** Of the machine, or less where a container has less. */
    private static long freeBytes() {
        long machine = kilobytes(MACHINE, "MemAvailable:");
        long most = number(GROUP.resolve("memory.max"));
        long used = number(GROUP.resolve("memory.current"));
        long cached = stat(GROUP.resolve("memory.stat"), "inactive_file ");
        long group = most < 0 || used < 0 ? Long.MAX_VALUE : most - used + Math.max(0, cached);
        return Math.min(machine < 0 ? Long.MAX_VALUE : machine, group);
    }

    private static long kilobytes(Path file, String key) {
        long found = stat(file, key);
        return found < 0 ? -1 : found << 10;
    }

    private static long stat(Path file, String key) {
        try {
            List<String> lines = Files.readAllLines(file);
            for (String line : lines) {
                if (line.startsWith(key)) {
                    return Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
        } catch (IOException | NumberFormatException e) {
            return -1; // Not on this system.
        }
        return -1;
    }

    private static long number(Path file) {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException | NumberFormatException e) {
            return -1; // None, or "max".
        }
    }
}
