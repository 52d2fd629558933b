package dev.medley.data.dataset;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a prepared set on the disk while it is open. Whoever needs room in the cache leaves it, so
 * that a worker that is started again finds its data. The operating system gives it up when the
 * process ends, however it ends.
 *
 * <p>Best effort: where the set cannot be locked (a file system without locks, data without a
 * folder) it is used all the same.
 */
public final class InUse implements AutoCloseable {
    private static final String LOCK = "lock";

    /**
     * What this process makes or uses, one channel a folder. Closing any channel of a file gives up
     * all locks that a process has on it (POSIX, fcntl), so there must be no second one.
     */
    private static final Map<Path, InUse> HERE = new HashMap<>();

    private final Path folder;
    private final @Nullable FileChannel channel;
    private int users = 1;

    private InUse(Path folder, @Nullable FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** From now on {@code data} is in use. */
    public static InUse begin(PreparedData data) {
        synchronized (HERE) {
            Path folder = data.path().toAbsolutePath();
            InUse here = HERE.get(folder);
            if (here != null) {
                here.users++;
                return here;
            }
            here = new InUse(folder, shared(folder.resolve(LOCK)));
            HERE.put(folder, here);
            return here;
        }
    }

    /** From now on a set is made in {@code folder}. */
    static InUse making(Path folder) throws IOException {
        synchronized (HERE) {
            FileChannel channel =
                    FileChannel.open(
                            folder.resolve(LOCK),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            channel.lock();
            InUse here = new InUse(folder.toAbsolutePath(), channel);
            HERE.put(here.folder, here);
            return here;
        }
    }

    /** Whether nobody makes or uses the set in {@code folder}. */
    static boolean isNobody(Path folder) throws IOException {
        synchronized (HERE) {
            Path file = folder.resolve(LOCK);
            if (HERE.containsKey(folder.toAbsolutePath()) || !Files.exists(file)) {
                return false;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                return lock != null;
            }
        }
    }

    @Override
    public void close() {
        synchronized (HERE) {
            users--;
            if (users > 0) {
                return;
            }
            HERE.remove(folder);
            try {
                if (channel != null) {
                    channel.close();
                }
            } catch (IOException e) {
                // The lock goes with the process at the latest.
                return;
            }
        }
    }

    private static @Nullable FileChannel shared(Path file) {
        if (!Files.exists(file)) {
            return null;
        }
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
            channel.tryLock(0, Long.MAX_VALUE, true);
            return channel;
        } catch (IOException e) {
            return null;
        }
    }
}
