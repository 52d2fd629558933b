package dev.medley.store.file;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * Something could not be written; what it was to replace is unchanged. The message names the path
 * and, when space ran out, the bytes needed and the bytes free. Before a run starts it is the
 * user's error ({@link #asConfigException}); while it runs it is a value ({@link #asFault}).
 */
public final class WriteFailure extends IOException {
    private static final long serialVersionUID = 1L;

    /** Why it could not be written. */
    public enum Reason {
        /** No space left on the device, or the quota is used up. */
        NO_SPACE,
        /** The folder or its file system may not be written by this user. */
        READ_ONLY,
        /** Anything else, as the system words it. */
        OTHER
    }

    private final Reason reason;
    private final String place;

    private WriteFailure(Reason reason, Path place, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.place = place.toString();
    }

    /**
     * Finds out why {@code cause} happened. Called after the unfinished file was removed, so that
     * the free space is what a next attempt would find.
     *
     * @param path what was to be written
     * @param bytesNeeded its length
     */
    public static WriteFailure of(Path path, long bytesNeeded, IOException cause) {
        Reason reason =
                cause instanceof WriteFailure inner
                        ? inner.reason
                        : reasonOf(path, bytesNeeded, cause);
        return switch (reason) {
            case NO_SPACE -> noSpace(path, bytesNeeded, WritableFolder.freeBytes(path), cause);
            case READ_ONLY -> readOnly(path, cause);
            case OTHER ->
                    new WriteFailure(
                            Reason.OTHER, path, path + ": cannot be written: " + cause, cause);
        };
    }

    static WriteFailure noSpace(
            Path path, long bytesNeeded, long bytesFree, @Nullable Throwable cause) {
        return new WriteFailure(
                Reason.NO_SPACE,
                path,
                ("%s: no space left on the device: %d bytes needed, %d free;"
                                + " free some space or choose another folder")
                        .formatted(path, bytesNeeded, bytesFree),
                cause);
    }

    private static WriteFailure readOnly(Path path, Throwable cause) {
        return new WriteFailure(
                Reason.READ_ONLY,
                path,
                path + ": the folder is read-only: choose another folder, or make it writable",
                cause);
    }

    /** Why it could not be written. */
    public Reason reason() {
        return reason;
    }

    /** The user's error, for work that comes before the start of a run. */
    public ConfigException asConfigException() {
        return new ConfigException(message(), this);
    }

    /** A value for the run's record, for work that runs beside training. */
    public Fault asFault() {
        return new Fault(Fault.Kind.STORE, place, message());
    }

    private String message() {
        return String.valueOf(getMessage());
    }

    /** The system's words depend on the user's language, so the state of the disk counts too. */
    private static Reason reasonOf(Path path, long bytesNeeded, IOException cause) {
        String words = String.valueOf(cause.getMessage());
        if (words.contains("No space left") || words.contains("quota exceeded")) {
            return Reason.NO_SPACE;
        }
        if (cause instanceof AccessDeniedException
                || cause.getCause() instanceof ReadOnlyFileSystemException
                || words.contains("Read-only file system")
                || !Files.isWritable(WritableFolder.nearestExisting(path))) {
            return Reason.READ_ONLY;
        }
        return WritableFolder.freeBytes(path) < bytesNeeded ? Reason.NO_SPACE : Reason.OTHER;
    }
}
