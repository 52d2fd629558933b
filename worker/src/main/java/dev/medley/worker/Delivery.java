package dev.medley.worker;

import dev.medley.base.WorkerSettings;
import dev.medley.data.shard.OriginGoneException;
import dev.medley.net.control.KeptState;
import dev.medley.net.files.FilesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a worker's files from its run folder to the coordinator's, where they are on different
 * machines; does nothing where both are one folder. After any failure the next folder goes over a
 * new connection.
 *
 * <p>Thread: any; folders are brought one after the other.
 */
public final class Delivery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    /** The worker writes where the coordinator reads. */
    public static final Delivery NONE = new Delivery(null, Path.of(""), Path.of(""));

    private final DataOrigin.@Nullable Files opening;
    private final Object bringing = new Object();
    private volatile @Nullable FilesClient files; // Opened and dropped by who holds the lock.
    private final Path from;
    private final Path to;
    private final ExecutorService later =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread thread = new Thread(task, "delivery");
                        thread.setDaemon(true);
                        return thread;
                    });
    private final AtomicReference<@Nullable Waiting> newest = new AtomicReference<>();
    private @Nullable Future<?> last;
    private volatile boolean isGivenUp;

    private record Waiting(Path folder, KeptState of, Runnable then, Consumer<String> orElse) {}

    private Delivery(DataOrigin.@Nullable Files opening, Path from, Path to) {
        this.opening = opening;
        this.from = from;
        this.to = to;
    }

    /**
     * From the run folder {@code from} of this machine to {@code to} of the coordinator's.
     *
     * @throws IOException if there is no way to it
     */
    public static Delivery over(DataOrigin.Files opening, Path from, Path to) throws IOException {
        Delivery delivery = new Delivery(opening, from, to);
        delivery.files = opening.open();
        return delivery;
    }

    /**
     * Of what a worker at {@code place} writes into its own run folder, to the coordinator's.
     *
     * @throws OriginGoneException if no connection can be opened
     */
    public static Delivery of(WorkerSettings place, Path runFolder, DataOrigin.Files files) {
        String own = place.runFolder();
        return !place.isRemote() || own == null
                ? NONE
                : reaching(files, Path.of(own), runFolder, Retries.Pause.REAL);
    }

    /**
     * Over a connection that is opened now; a link that hangs for a while is a matter of this
     * machine, not of the job.
     */
    static Delivery reaching(DataOrigin.Files files, Path from, Path to, Retries.Pause pause) {
        Retries retries = new Retries(pause);
        while (true) {
            try {
                return over(files, from, to);
            } catch (IOException e) {
                String what =
                        "the coordinator is not reached for what this worker keeps: "
                                + e.getMessage();
                if (!retries.waits()) {
                    throw new OriginGoneException(what, e);
                }
                LOG.warn("{}; tried again", what);
            }
        }
    }

    /** Where a folder of the run lies for the user. */
    public Path place(Path folder) {
        return opening == null ? folder : to.resolve(from.relativize(folder));
    }

    /** Whether the worker writes where the coordinator reads. */
    public boolean isNone() {
        return opening == null;
    }

    /**
     * Brings a folder of the run; it, or one of a later state, is kept when this returns.
     *
     * @param of which state of the run
     */
    public void bring(Path folder, KeptState of) throws IOException {
        if (opening == null) {
            return;
        }
        if (isGivenUp) {
            throw new IOException("the coordinator is gone: it stays in " + folder);
        }
        asking(
                opening,
                coordinator -> {
                    coordinator.bring(name(folder), folder, of);
                    return null;
                });
    }

    /** There is nobody to bring anything to any more; what is under way ends. */
    public void giveUp() {
        isGivenUp = true;
        hangUp();
    }

    private void hangUp() {
        FilesClient open = files;
        if (open != null) {
            open.close();
        }
    }

    /** Of which state a folder is that is kept where it is brought to; null if none is. */
    public @Nullable KeptState kept(Path folder) throws IOException {
        return opening == null
                ? (Files.isDirectory(folder) ? KeptState.UNKNOWN : null)
                : asking(opening, coordinator -> coordinator.kept(name(folder)));
    }

    /** What is asked of the coordinator. */
    private interface Request {
        @Nullable KeptState of(FilesClient coordinator) throws IOException;
    }

    private @Nullable KeptState asking(DataOrigin.Files anew, Request request) throws IOException {
        synchronized (bringing) {
            FilesClient open = files == null ? anew.openAgain() : files;
            files = open;
            if (isGivenUp) {
                open.close();
            }
            boolean isSound = false;
            try {
                KeptState answer = request.of(open);
                isSound = true;
                return answer;
            } finally {
                if (!isSound) {
                    files = null;
                    open.close();
                }
            }
        }
    }

    private String name(Path folder) {
        return from.relativize(folder).toString().replace('\\', '/');
    }

    /**
     * Brings a folder while training goes on. Where folders come faster than the link carries them,
     * the newest is brought next, and those before it, which may be deleted by then, are not.
     *
     * @param of which state of the run
     * @param then called when it is kept, at once where there is nothing to bring
     * @param orElse called with the reason if it is not
     */
    public void bringLater(Path folder, KeptState of, Runnable then, Consumer<String> orElse) {
        if (opening == null) {
            then.run();
            return;
        }
        newest.set(new Waiting(folder, of, then, orElse));
        last = later.submit(this::bringNewest);
    }

    private void bringNewest() {
        Waiting waiting = newest.getAndSet(null);
        if (waiting == null) {
            return; // The one that took its place has been brought in its turn.
        }
        try {
            bring(waiting.folder(), waiting.of());
            waiting.then().run();
        } catch (IOException e) {
            LOG.warn("{} is not kept: {}", waiting.folder(), e.toString());
            waiting.orElse()
                    .accept(
                            "%s could not be brought to the coordinator: %s"
                                    .formatted(from.relativize(waiting.folder()), e.getMessage()));
        }
    }

    /**
     * Waits until the last that was to be brought later is, or has failed. What breaks there is in
     * the log: there is more to be kept after it.
     */
    public void finish(long timeoutNs) {
        Future<?> awaited = last;
        if (awaited == null) {
            return;
        }
        try {
            Object unused = awaited.get(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            LOG.error("a delivery broke", e);
        } catch (TimeoutException e) {
            LOG.warn(
                    "a delivery takes longer than {} s", TimeUnit.NANOSECONDS.toSeconds(timeoutNs));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        later.shutdown();
        hangUp();
    }
}
