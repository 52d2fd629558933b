package dev.medley.training.worker;

import dev.medley.base.Clock;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.profile.record.RunFolder;
import dev.medley.store.file.WriteFailure;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.Provenance;
import dev.medley.training.loop.WorkerState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run's model folder: the best model so far by the first metric, or the last one where nothing
 * is evaluated. Offers copy the parameters and return; a thread writes. Of several offers in one
 * write's time only the last is written.
 */
final class BestModel implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BestModel.class);
    private static final long TIMEOUT_S = 120;
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private record Offer(List<NamedSpan> weights, Map<String, Double> figures, long step) {}

    private final Assignment assignment;
    private final WorkerState state;
    private final Delivery delivery;
    private final Clock clock;
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread thread = new Thread(task, "model-writer");
                        thread.setDaemon(true);
                        return thread;
                    });

    private @Nullable Offer waiting;

    /** What is on the disk, in case somebody removes it. */
    private @Nullable Offer written;

    private @Nullable Future<?> writing;
    private boolean hasOffered;
    private boolean isRescued; // It is in another place.
    private long triedNs;

    // Guarded by this: the last write failed, and what is to be said of it.
    private boolean isInTrouble;
    private @Nullable String trouble;

    BestModel(Assignment assignment, WorkerState state, Delivery delivery, Clock clock) {
        this.assignment = assignment;
        this.state = state;
        this.delivery = delivery;
        this.clock = clock;
    }

    /** The parameters as they are now are the best. */
    void offer(Map<String, Double> figures) {
        Offer offer =
                new Offer(state.replica().export(), Map.copyOf(figures), state.state().step());
        synchronized (this) {
            waiting = offer;
        }
        hasOffered = true;
        isRescued = false;
        triedNs = clock.nowNs();
        writing = writer.submit(this::writeWaiting);
    }

    /**
     * Whether all that was offered is on the disk, or nothing was. What could not be written is
     * tried again, once a second at most.
     */
    boolean isKept() {
        Future<?> last = writing;
        if (last == null) {
            return true;
        }
        if (!last.isDone() || hasWaiting()) {
            tryAgain(last);
            return false;
        }
        return true;
    }

    private void tryAgain(Future<?> last) {
        if (last.isDone() && clock.nowNs() - triedNs >= RETRY_NS) {
            triedNs = clock.nowNs();
            writing = writer.submit(this::writeWaiting);
        }
    }

    private synchronized boolean hasWaiting() {
        return waiting != null;
    }

    /**
     * Offers the present one where no best one is on the disk. That is so if nothing was evaluated,
     * or if the best was lost with the worker that wrote it.
     */
    void offerIfNone() {
        if (!hasOffered && !isOneKept()) {
            offer(Map.of());
        }
    }

    /**
     * Writes it into the folder of another run instead, where it cannot be written into its own.
     */
    void settleIn(RunFolder other) {
        if (other.path().equals(run().path())) {
            settle();
            return;
        }
        Offer offer;
        synchronized (this) {
            offer = waiting;
        }
        if (offer != null) {
            try {
                write(offer, other);
                isRescued = true;
            } catch (WriteFailure e) {
                throw e.asConfigException();
            }
        }
    }

    private synchronized void offerAgainWhatIsGone() {
        if (waiting == null && written != null && !isOneKept()) {
            waiting = written;
        }
    }

    private boolean isOneKept() {
        try {
            return delivery.isKept(run().model());
        } catch (IOException e) {
            LOG.warn("whether a model is kept is not known: {}", e.toString());
            return false;
        }
    }

    /**
     * Waits until what was offered is on the disk. A write that failed is tried once more; if it
     * fails again, a {@link ConfigException} says why.
     */
    void settle() {
        if (!hasOffered) {
            return;
        }
        offerAgainWhatIsGone();
        try {
            writer.submit(this::writeWaiting).get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ConfigException && isRescued) {
                return;
            }
            if (e.getCause() instanceof ConfigException unwritable) {
                throw new ConfigException(String.valueOf(unwritable.getMessage()), unwritable);
            }
            throw new IllegalStateException("the model could not be written: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the model was not written within " + TIMEOUT_S + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        writer.shutdown();
    }

    private void writeWaiting() {
        Offer offer;
        synchronized (this) {
            offer = waiting;
            waiting = null;
        }
        if (offer == null) {
            return;
        }
        try {
            write(offer, run());
            delivery.bring(run().model());
            isWritten(offer);
        } catch (IOException e) {
            keepWaiting(offer);
            isUnwritten(
                    "the model of step %d is not kept yet, and no checkpoint before it is: %s"
                            .formatted(offer.step(), e.getMessage()));
            throw new ConfigException("the model could not be kept: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            keepWaiting(offer);
            throw e;
        }
    }

    /**
     * Why what was offered is not on the disk; null where that was said before or is not so. The
     * worker's own log may be on the same disk.
     */
    synchronized @Nullable String trouble() {
        String news = trouble;
        trouble = null;
        return news;
    }

    private synchronized void isWritten(Offer offer) {
        written = offer;
        isInTrouble = false;
        trouble = null;
    }

    private synchronized void isUnwritten(String why) {
        LOG.warn("{}", why);
        if (!isInTrouble) {
            trouble = why;
        }
        isInTrouble = true;
    }

    /** For the next try, unless there is a better one by now. */
    private synchronized void keepWaiting(Offer offer) {
        if (waiting == null) {
            waiting = offer;
        }
    }

    private RunFolder run() {
        return new RunFolder(Path.of(assignment.runFolder()));
    }

    private void write(Offer offer, RunFolder into) throws WriteFailure {
        JobSpec job = assignment.job();
        Provenance provenance =
                new Provenance(
                        run().name(),
                        Instant.ofEpochMilli(clock.wallMillis()).toString(),
                        assignment.data().dataHash(),
                        job.seed(),
                        Json.tree(job),
                        assignment.versions());
        ModelDescription description =
                new ModelDescription(
                        job.model(),
                        Loaded.lossOf(assignment),
                        assignment.data().signature(),
                        Json.tree(assignment.data().encoding()),
                        offer.figures(),
                        provenance);
        ModelFolder.write(into.model(), description, offer.weights());
    }
}
