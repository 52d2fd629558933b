package dev.medley.exchange;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Reads how long a thread has run, or would have if a processor had been granted to it. Linux
 * counts this (the first two figures of {@code schedstat},
 * Documentation/scheduler/sched-stats.rst). The rest of a wait is true waiting: a process that has
 * used up its quota of the processor does not wait for others, however long a call for bytes takes
 * it.
 *
 * <p>Read by one thread at a time, which need not be the thread that is measured.
 */
public final class ThreadLoad implements AutoCloseable {
    private static final String FILE = "/proc/thread-self/schedstat";

    private final RandomAccessFile file;
    private final byte[] text = new byte[80];
    private long lastNs;

    private ThreadLoad(RandomAccessFile file) {
        this.file = file;
    }

    /** The calling thread's; null where the kernel does not count it. */
    public static @Nullable ThreadLoad ofThisThread() {
        try {
            return new ThreadLoad(new RandomAccessFile(FILE, "r"));
        } catch (FileNotFoundException notCounted) {
            return null;
        }
    }

    /** Nanoseconds since the thread began; of one that has ended, what was read last. */
    public long busyNs() {
        try {
            file.seek(0);
            int length = Math.max(0, file.read(text));
            StringTokenizer words =
                    new StringTokenizer(new String(text, 0, length, StandardCharsets.US_ASCII));
            if (words.countTokens() >= 2) {
                lastNs = Long.parseLong(words.nextToken()) + Long.parseLong(words.nextToken());
            }
        } catch (IOException ended) {
            return lastNs;
        }
        return lastNs;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException ignored) {
            // It was only read.
        }
    }
}
