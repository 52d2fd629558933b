package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.time.Clock;
import dev.medley.inference.explain.ReferenceSample;
import dev.medley.net.control.KeptState;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.file.WriteFailure;
import dev.medley.training.loop.WorkerState;
import dev.medley.training.worker.RunModel.Judged;
import dev.medley.training.worker.RunModel.Offer;
import dev.medley.worker.Delivery;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the best model so far in the run's model folder, by the first metric, or the last one where
 * nothing is evaluated. Offers copy the parameters and return; a thread writes. Of several offers
 * in one write's time only the last is written, and none in place of a later one of another worker.
 */
final class BestModel implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BestModel.class);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long REMIND_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private final RunModel model;
    private final WorkerState state;
    private final Clock clock;
    private final Consumer<String> tell;
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread thread = new Thread(task, "model-writer");
                        thread.setDaemon(true);
                        return thread;
                    });

    private @Nullable Offer waiting;

    /** What is being written, or brought to the coordinator. Guarded by this, as the one above. */
    private @Nullable Offer underWay;

    /** What is on the disk, in case somebody removes it. */
    private @Nullable Offer written;

    private @Nullable Future<?> writing;
    private boolean hasOffered;
    private boolean isRescued; // It is in another place.
    private long triedNs;
    private int epoch;
    private @Nullable Object own; // Of the writing thread: what lay there after its last write.

    // Guarded by this: the last write failed, and what is to be said of it.
    private boolean isInTrouble;
    private @Nullable String trouble;

    /**
     * Of a run.
     *
     * @param reference that lies beside the model; null for none
     * @param tell sentences for the user, on the thread that waits
     */
    BestModel(
            Assignment assignment,
            WorkerState state,
            @Nullable ReferenceSample reference,
            Delivery delivery,
            Clock clock,
            Consumer<String> tell) {
        this.model = new RunModel(assignment, state.metrics(), reference, delivery, clock);
        this.state = state;
        this.clock = clock;
        this.tell = tell;
    }

    RunModel model() {
        return model;
    }

    /** A group of that epoch begins, of which offers are from now on. */
    void formed(int newEpoch) {
        epoch = newEpoch;
    }

    /** Gives up the offer that waits, but not the one under way. */
    synchronized void forget() {
        waiting = null;
    }

    /** The parameters as they are now are the best. */
    void offer(Judged judged) {
        offer(state.learner().export(), judged, state.state().step());
    }

    /** These are the best. */
    void offer(List<NamedSpan> weights, Judged judged, long step) {
        KeptState of = model.state(epoch, step, judged.figures());
        offer(new Offer(weights, judged, of, model.onDisk()));
    }

    private void offer(Offer offer) {
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
            offer(Judged.NOT);
        }
    }

    /**
     * Writes it into the folder of another run instead, where it cannot be written into its own, or
     * has not come through to the coordinator yet.
     *
     * @param isOver whether what is under way is waited for no longer
     */
    void settleIn(RunFolder other, BooleanSupplier isOver) {
        if (other.path().equals(model.run().path())) {
            settle(isOver);
            return;
        }
        Offer offer;
        synchronized (this) {
            offer = waiting == null ? underWay : waiting;
        }
        if (offer != null) {
            try {
                model.write(offer, other);
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
            return model.kept() != null;
        } catch (IOException e) {
            LOG.warn("whether a model is kept is not known: {}", e.toString());
            return false;
        }
    }

    /**
     * Waits until what was offered is on the disk, and with the coordinator, however long the way
     * there takes. A write that failed is tried once more; if it fails again, or the patience ends
     * before, a {@link ConfigException} says why: it is in memory still.
     */
    void settle(BooleanSupplier isOver) {
        if (!hasOffered) {
            return;
        }
        offerAgainWhatIsGone();
        try {
            await(writer.submit(this::writeWaiting), isOver);
        } catch (ExecutionException e) {
            if (isRescued) {
                return;
            }
            throw e.getCause() instanceof ConfigException unwritable
                    ? new ConfigException(String.valueOf(unwritable.getMessage()), unwritable)
                    : new ConfigException("the model could not be written: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void await(Future<?> settled, BooleanSupplier isOver)
            throws ExecutionException, InterruptedException {
        long remindNs = clock.awakeNs() + REMIND_NS;
        while (true) {
            try {
                Object unused = settled.get(LOOK_NS, TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException e) {
                if (isOver.getAsBoolean()) {
                    throw new ConfigException("the model is still on its way to its folder", e);
                }
            }
            if (clock.awakeNs() >= remindNs) {
                tell.accept(
                        "the trained model is still on its way to its folder: this waits for it");
                remindNs = clock.awakeNs() + REMIND_NS;
            }
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
            underWay = waiting;
            waiting = null;
        }
        if (offer == null) {
            return;
        }
        try {
            if (model.isOutdated(offer, own)) {
                LOG.info("the model of step {} is left out for a later one", offer.of().step());
                isWritten(null);
                return;
            }
            model.write(offer, model.run());
            own = model.onDisk();
            model.bring(offer.of());
            isWritten(offer);
        } catch (IOException e) {
            keepWaiting(offer);
            isUnwritten(
                    "the model of step %d is not kept yet, and no checkpoint before it is: %s"
                            .formatted(offer.of().step(), e.getMessage()));
            throw new ConfigException("the model could not be kept: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
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

    private synchronized void isWritten(@Nullable Offer offer) {
        written = offer;
        underWay = null;
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
        underWay = null;
        if (waiting == null) {
            waiting = offer;
        }
    }
}
