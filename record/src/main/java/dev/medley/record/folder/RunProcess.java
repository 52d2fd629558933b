package dev.medley.record.folder;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A process, so that a reader of a run folder can tell whether it still lives.
 *
 * @param host the machine's name
 * @param pid its number there
 * @param startedMillis when the system started it; 0 where it does not say. Numbers are used again.
 */
public record RunProcess(String host, long pid, long startedMillis) {
    private static final long NO_PID = -1;
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    /** One of this machine that nothing is known of but that it is over. */
    static RunProcess over() {
        return new RunProcess(thisHost(), NO_PID, 0);
    }

    /** This process. */
    public static RunProcess self() {
        ProcessHandle self = ProcessHandle.current();
        return new RunProcess(thisHost(), self.pid(), startedMillis(self));
    }

    /** Whether it is surely gone: a process of another machine never is. */
    boolean hasEnded() {
        if (!host.equals(thisHost())) {
            return false;
        }
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(now -> startedMillis == 0 || startedMillis(now) == startedMillis)
                .isEmpty();
    }

    /** Whether it surely lives: a process of another machine never does. */
    boolean isAliveHere() {
        return host.equals(thisHost()) && !hasEnded();
    }

    private static long startedMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String thisHost() {
        try {
            if (Files.isReadable(HOST_NAME)) {
                return Files.readString(HOST_NAME).strip();
            }
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        } catch (IOException e) {
            return "localhost";
        }
    }
}
