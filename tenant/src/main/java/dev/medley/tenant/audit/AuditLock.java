package dev.medley.tenant.audit;

import dev.medley.base.ConfigException;
import dev.medley.base.OwnFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Holds a log for one writer. The operating system lets go of it when the process ends, however it
 * ends.
 */
final class AuditLock implements AutoCloseable {
    /** Held by this process: closing a second channel of a file gives up its locks. */
    private static final Set<Path> HERE = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private AuditLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * The one name by which a log is locked, whatever links lead to it; a {@link ConfigException}
     * if it has two names of its own, which two writers could take for two logs.
     */
    static Path onlyName(Path log) throws IOException {
        if (!Files.exists(log)) {
            if (!Files.isSymbolicLink(log)) {
                return log;
            }
            Path led = AuditFiles.real(log);
            ConfigException.check(
                    AuditFiles.isThere(led), "%s: is a link that leads to no log", log);
            return led;
        }
        Path real = log.toRealPath();
        if (real.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            int names = ((Number) Files.getAttribute(real, "unix:nlink")).intValue();
            ConfigException.check(
                    names == 1,
                    "%s: this log has %d names (hard links), by which two processes could write it:"
                            + " remove all but one",
                    log,
                    names);
        }
        return real;
    }

    /** Takes a log, whose folder is there; a {@link ConfigException} if another writes it. */
    static AuditLock take(Path log) throws IOException {
        Path folder = log.toAbsolutePath().getParent();
        Path file =
                (folder == null ? log : folder.toRealPath()).resolve(log.getFileName() + ".lock");
        synchronized (HERE) {
            if (!HERE.add(file)) {
                throw taken(log);
            }
            try {
                FileChannel channel =
                        FileChannel.open(
                                file,
                                EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                                OwnFolder.only("rw-------"));
                if (channel.tryLock() == null) {
                    channel.close();
                    throw taken(log);
                }
                return new AuditLock(file, channel);
            } catch (IOException | RuntimeException e) {
                HERE.remove(file);
                throw e;
            }
        }
    }

    private static ConfigException taken(Path log) {
        return new ConfigException(
                "%s: another process writes this log: stop it, or give --audit another file"
                        .formatted(log));
    }

    @Override
    public void close() throws IOException {
        synchronized (HERE) {
            HERE.remove(file);
            channel.close();
        }
    }
}
