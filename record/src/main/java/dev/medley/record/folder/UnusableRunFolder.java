package dev.medley.record.folder;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a run's folder cannot be made or written, or that its disk has no room. The message
 * says what to do with the command; who chose the folder for people says it in their words.
 */
public final class UnusableRunFolder extends ConfigException {
    private static final long serialVersionUID = 1L;

    private final String trouble;

    private UnusableRunFolder(String trouble, String remedy, @Nullable IOException cause) {
        super(trouble + ": " + remedy);
        this.trouble = trouble;
        if (cause != null) {
            initCause(cause);
        }
    }

    static UnusableRunFolder unmade(String runs, String reason, IOException cause) {
        return new UnusableRunFolder(
                "no run folder can be made in %s (%s)".formatted(runs, reason),
                "choose a folder that can be written with --run-dir",
                cause);
    }

    static UnusableRunFolder unwritten(RunFolder folder, IOException cause) {
        return new UnusableRunFolder(
                "the run folder %s cannot be written (%s)"
                        .formatted(folder.path().toAbsolutePath(), RunFolder.reason(cause)),
                "choose another with --run-dir",
                cause);
    }

    static UnusableRunFolder full(RunFolder folder, long freeBytes, long neededBytes) {
        return new UnusableRunFolder(
                String.format(
                        Locale.ROOT,
                        "the disk of %s has %d MiB free, a run needs %d MiB at least",
                        folder.path().toAbsolutePath(),
                        freeBytes >> 20,
                        neededBytes >> 20),
                "make room, or choose another folder with --run-dir",
                null);
    }

    /** What is wrong, and where, without what to do. */
    public String trouble() {
        return trouble;
    }
}
