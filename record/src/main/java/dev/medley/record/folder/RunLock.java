package dev.medley.record.folder;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a run for the one process that trains, resumes or removes it, until the lock is closed or
 * that process ends. Where a disk has no locks, no process is kept out.
 */
public final class RunLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunLock.class);

    /** In this process, whose locks one closed file more would take away. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path held;
    private final @Nullable FileChannel channel;

    private RunLock(Path held, @Nullable FileChannel channel) {
        this.held = held;
        this.channel = channel;
    }

    /**
     * Takes a run.
     *
     * @throws ConfigException if another one holds it
     */
    public static RunLock take(RunFolder folder) {
        Path file = folder.path().toAbsolutePath().normalize().resolve(".lock");
        require(HELD.add(file), folder);
        RunLock lock = new RunLock(file, open(file));
        if (!lock.isAlone()) {
            lock.close();
            require(false, folder);
        }
        return lock;
    }

    /** The file by which others see that the run is held. */
    public Path file() {
        return held;
    }

    private static void require(boolean isAlone, RunFolder folder) {
        ConfigException.check(
                isAlone,
                "another process goes on with %s: wait for its end, or interrupt it first",
                folder.path());
    }

    private static @Nullable FileChannel open(Path file) {
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            LOG.debug("{} cannot be opened", file, e);
            return null;
        }
    }

    private boolean isAlone() {
        try {
            return channel == null || channel.tryLock() != null;
        } catch (IOException e) {
            LOG.debug("{} cannot be locked", held, e);
            return true;
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("{} could not be closed", held, e);
        }
        HELD.remove(held);
    }
}
