package dev.medley.connect.snapshot;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Holds a folder for one sync. The operating system lets go of it when the process ends, however it
 * ends, so nothing stale can be left; the file says who holds it, for the message to others.
 */
final class FolderLock implements AutoCloseable {
    private static final String NAME = "lock";

    /**
     * Held by this process. There must be no second channel of a file: closing any gives up all
     * locks that a process has on it (POSIX, fcntl).
     */
    private static final Set<Path> HERE = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private FolderLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Takes {@code folder}; a {@link ConfigException} names who has it. */
    static FolderLock take(Path folder, Clock clock) throws IOException {
        Path file = folder.toRealPath().resolve(NAME);
        synchronized (HERE) {
            if (HERE.contains(file)) {
                throw refusal(folder, holder(file));
            }
            FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            boolean isTaken = false;
            try {
                if (channel.tryLock() == null) {
                    throw refusal(folder, holder(file));
                }
                sign(file, channel, clock);
                isTaken = true;
            } finally {
                if (!isTaken) {
                    channel.close();
                }
            }
            HERE.add(file);
            return new FolderLock(file, channel);
        }
    }

    private static void sign(Path file, FileChannel channel, Clock clock) throws IOException {
        String who =
                "process %d since %s"
                        .formatted(
                                ProcessHandle.current().pid(),
                                Instant.ofEpochMilli(clock.wallMillis()));
        byte[] bytes = who.getBytes(StandardCharsets.UTF_8);
        try {
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(bytes), 0);
        } catch (IOException e) {
            throw WriteFailure.of(file, bytes.length, e);
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (HERE) {
            HERE.remove(file);
            channel.close();
        }
    }

    private static ConfigException refusal(Path folder, String holder) {
        return new ConfigException(
                "%s: a sync of this table is under way (%s): wait for its end, or stop it"
                        .formatted(folder, holder));
    }

    private static String holder(Path file) throws IOException {
        // In this process the file must not be opened a second time.
        if (HERE.contains(file)) {
            return "in this process, " + ProcessHandle.current().pid();
        }
        String who = Files.readString(file);
        return who.isEmpty() ? "another process" : who;
    }
}
