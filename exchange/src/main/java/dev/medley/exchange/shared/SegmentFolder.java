package dev.medley.exchange.shared;

import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates segments in a folder in memory while a collective forms, and sweeps abandoned ones. A
 * segment's name is deleted as soon as all members have mapped it; from then on the memory lives
 * exactly as long as somebody maps it. A process holds a lock on its segment while it lives: the
 * next process sweeps what one that died before that left behind.
 */
public final class SegmentFolder {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentFolder.class);
    private static final String PREFIX = "medley-";
    private static final long FRESH_MILLIS = 60_000;
    private static final int ZEROS_BYTES = 1 << 20;
    private static final FileAttribute<Set<PosixFilePermission>> MINE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path folder;
    private final Clock clock;

    /** Segments in {@code folder}. */
    public SegmentFolder(Path folder, Clock clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** Deletes segments that nobody holds any more. */
    public void sweep() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path file : files) {
                sweep(file);
            }
        } catch (IOException e) {
            LOG.debug("No sweep of {}", folder, e);
        }
    }

    /** The file of one rank's segment in one epoch of one run. */
    Path file(String run, int epoch, int rank) {
        return folder.resolve(PREFIX + run + "-e" + epoch + "-r" + rank);
    }

    /**
     * Creates a file of zeros whose every page is there, so that no later access can fail.
     *
     * @return the open file with its lock; closing it lets go of the lock
     * @throws IOException if there is no room, with nothing left behind
     */
    FileChannel create(Path file, long bytes) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < bytes) {
            throw new IOException(
                    "%s has %d MiB free, %d MiB are needed"
                            .formatted(folder, free >> 20, (bytes >> 20) + 1));
        }
        Files.deleteIfExists(file);
        FileChannel channel =
                FileChannel.open(
                        file,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE),
                        MINE);
        try {
            channel.tryLock();
            fill(channel, bytes);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static void fill(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
        for (long done = 0; done < bytes; ) {
            zeros.clear().limit((int) Math.min(ZEROS_BYTES, bytes - done));
            done += channel.write(zeros, done);
        }
    }

    private void sweep(Path file) {
        try {
            sweepIfAbandoned(file);
        } catch (IOException e) {
            LOG.debug("{} is not ours to sweep", file, e);
        }
    }

    private void sweepIfAbandoned(Path file) throws IOException {
        long age = clock.wallMillis() - Files.getLastModifiedTime(file).toMillis();
        if (age < FRESH_MILLIS) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                Files.deleteIfExists(file);
                LOG.info("Swept {}, which a process that ended early had left", file);
            }
        } catch (OverlappingFileLockException held) {
            LOG.debug("{} is held by this process", file);
        }
    }
}
