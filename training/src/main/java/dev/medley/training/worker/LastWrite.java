package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.OwnFolder;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a run's result that is only in memory: into the run's folder, or into one that the user
 * named for this case. Where neither takes it, this reports so, waits, and tries again, until one
 * does or the user has had enough; then the temporary folder is better than nothing.
 */
final class LastWrite {
    private static final Logger LOG = LoggerFactory.getLogger(LastWrite.class);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long REMIND_NS = TimeUnit.SECONDS.toNanos(60);

    private final Path run;
    private final @Nullable Path rescue;
    private final BooleanSupplier isUnwanted;
    private final Consumer<String> tell;
    private final Clock clock;

    /** Something to write below a folder. */
    @FunctionalInterface
    interface Attempt {
        /**
         * Writes all of it.
         *
         * @throws ConfigException with path, bytes needed and bytes free if it cannot be written
         */
        void to(Path folder);
    }

    /**
     * Writes into {@code run}.
     *
     * @param rescue of all runs; null for none
     * @param isUnwanted whether the user does not want to wait any longer
     * @param tell sentences for the user
     */
    LastWrite(
            Path run,
            @Nullable String rescue,
            BooleanSupplier isUnwanted,
            Consumer<String> tell,
            Clock clock) {
        this.run = run;
        this.rescue = rescue == null ? null : Path.of(rescue);
        this.isUnwanted = isUnwanted;
        this.tell = tell;
        this.clock = clock;
    }

    /**
     * Writes {@code what}; it is kept somewhere when this returns.
     *
     * @param patienceNs how long it is tried
     * @throws ConfigException if nothing took it
     */
    void write(String what, Attempt attempt, long patienceNs) {
        ConfigException failed = failure(attempt, run);
        if (failed == null || isIn(rescue, what, attempt)) {
            return;
        }
        long untilNs = clock.awakeNs() + patienceNs;
        long remindNs = clock.awakeNs();
        while (failed != null && !isUnwanted.getAsBoolean() && clock.awakeNs() < untilNs) {
            if (clock.awakeNs() >= remindNs) {
                tell.accept(
                        "%s is in memory alone: %s. It is tried again every second: make room there"
                                        .formatted(what, failed.getMessage())
                                + ", or interrupt the run to have it in the temporary folder");
                remindNs = clock.awakeNs() + REMIND_NS;
            }
            LockSupport.parkNanos(RETRY_NS);
            failed = failure(attempt, run);
            if (failed != null && isIn(rescue, what, attempt)) {
                return;
            }
        }
        if (failed != null && !isIn(temporary(), what, attempt)) {
            throw new ConfigException(
                    "%s. Then go on with medley train --resume %s"
                            .formatted(failed.getMessage(), run),
                    failed);
        }
    }

    /** Others write there, too: only a folder of this user alone will do. Null if none can be. */
    private static @Nullable Path temporary() {
        try {
            Path usual = OwnFolder.ofThisUser("medley-rescue");
            OwnFolder.make(usual);
            return usual;
        } catch (IOException e) {
            LOG.warn("another temporary folder is taken: {}", e.toString());
        }
        try {
            return Files.createTempDirectory("medley-rescue-");
        } catch (IOException e) {
            LOG.warn("there is no temporary folder: {}", e.toString());
            return null;
        }
    }

    private boolean isIn(@Nullable Path folder, String what, Attempt attempt) {
        if (folder == null) {
            return false;
        }
        Path own = folder.resolve(String.valueOf(run.getFileName()));
        boolean isKept = failure(attempt, own) == null;
        if (isKept) {
            tell.accept(
                    "%s could not be written into %s, and is kept in %s".formatted(what, run, own));
        }
        return isKept;
    }

    private static @Nullable ConfigException failure(Attempt attempt, Path folder) {
        try {
            attempt.to(folder);
            return null;
        } catch (ConfigException e) {
            return e;
        }
    }
}
