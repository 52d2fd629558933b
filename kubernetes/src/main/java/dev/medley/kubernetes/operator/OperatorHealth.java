package dev.medley.kubernetes.operator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the probes of an operator's pod how it is, by two files that are written anew every ten
 * seconds: {@code alive} as long as the process works, {@code ready} as long as it also sees the
 * API server. An API server that is away is no reason to start an operator again, so the two are
 * apart.
 *
 * <p>Thread: its own.
 */
final class OperatorHealth implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorHealth.class);
    private static final long PERIOD_S = 10;
    private static final String ALIVE = "alive";
    private static final String READY = "ready";

    private final Path folder;
    private final BooleanSupplier isReady;
    private final ScheduledExecutorService timer;
    private boolean hasFailed;

    private OperatorHealth(Path folder, BooleanSupplier isReady) {
        this.folder = folder;
        this.isReady = isReady;
        timer =
                Executors.newSingleThreadScheduledExecutor(
                        work -> {
                            Thread thread = new Thread(work, "medley-operator-health");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /**
     * Tells it from now on.
     *
     * @param folder of the two files, which is made; what it says of an operator before is removed
     * @throws UncheckedIOException if it cannot be written
     */
    static OperatorHealth tell(Path folder, BooleanSupplier isReady) {
        OperatorHealth health = new OperatorHealth(folder, isReady);
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(folder.resolve(READY));
            health.look();
        } catch (IOException e) {
            health.timer.shutdownNow();
            throw new UncheckedIOException(e);
        }
        health.timer.scheduleWithFixedDelay(
                health::lookAgain, PERIOD_S, PERIOD_S, TimeUnit.SECONDS);
        return health;
    }

    /** Writes both files as it is now. */
    void look() throws IOException {
        Files.writeString(folder.resolve(ALIVE), "");
        if (isReady.getAsBoolean()) {
            Files.writeString(folder.resolve(READY), "");
        } else {
            Files.deleteIfExists(folder.resolve(READY));
        }
    }

    private void lookAgain() {
        try {
            look();
            hasFailed = false;
        } catch (IOException | RuntimeException e) {
            if (!hasFailed) {
                LOG.warn(
                        "the files of the probes in {} cannot be written: {}",
                        folder,
                        e.toString());
            }
            hasFailed = true;
        }
    }

    /** Says that it is not ready any more. */
    @Override
    public void close() {
        timer.shutdownNow();
        try {
            Files.deleteIfExists(folder.resolve(READY));
        } catch (IOException e) {
            LOG.warn("{} cannot be removed: {}", folder.resolve(READY), e.toString());
        }
    }
}
