package dev.medley.api.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The kernel's count of processes that it killed for lack of memory, of this cgroup or of the whole
 * machine.
 */
final class OutOfMemoryKills {
    private static final List<Path> COUNTERS =
            List.of(
                    Path.of("/sys/fs/cgroup/memory.events"),
                    Path.of("/sys/fs/cgroup/memory/memory.oom_control"),
                    Path.of("/proc/vmstat"));

    private long known = count();

    /** Whether it has risen since the last call. */
    boolean hasRisen() {
        long now = count();
        boolean risen = now > known;
        known = now;
        return risen;
    }

    private static long count() {
        long sum = 0;
        for (Path counter : COUNTERS) {
            try {
                if (Files.isReadable(counter)) {
                    sum +=
                            Files.readAllLines(counter).stream()
                                    .filter(line -> line.startsWith("oom_kill "))
                                    .mapToLong(line -> Long.parseLong(line.substring(9).strip()))
                                    .sum();
                }
            } catch (IOException | NumberFormatException e) {
                // A kernel without this counter: the exit status alone has to do.
            }
        }
        return sum;
    }
}
