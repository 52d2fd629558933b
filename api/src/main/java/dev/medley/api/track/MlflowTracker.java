package dev.medley.api.track;

import dev.medley.api.track.MlflowServer.Refused;
import dev.medley.base.time.Clock;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunObserver;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells an MLflow server of a run while it trains. Records go through a bounded queue; where it is
 * full, since the server is away or slow, the rest is read from the run's folder once the server
 * follows again.
 *
 * <p>Thread: observers on the coordinating thread, which never waits. The calls on one of its own.
 */
final class MlflowTracker implements RunObserver {
    private static final Logger LOG = LoggerFactory.getLogger(MlflowTracker.class);
    private static final int QUEUED = 20_000;
    private static final int AT_A_TIME = 1_000;
    private static final long PASS_MILLIS = 1_000;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;

    private final String address;
    private final RunFolder folder;
    private final MlflowRun run;
    private final BoundedCalls calls;
    private final MlflowPatience patience;
    private final Clock clock;
    private final Consumer<String> warns;
    private final BlockingQueue<Object> queue = new ArrayBlockingQueue<>(QUEUED);
    private final List<Object> underWay = new ArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread = new Thread(this::follow, "mlflow-tracker");

    /**
     * Whether the folder has steps before those that are queued; so it is of a run gone on with.
     */
    private volatile boolean hasGap = true;

    private boolean isRefused;
    private volatile String trouble = "";

    /**
     * Of a run.
     *
     * @param calls of the server that {@code run} goes to
     * @param warns told once that the server is away, and at the end what it has not got; on the
     *     caller's thread
     */
    MlflowTracker(
            String address,
            MlflowRun run,
            BoundedCalls calls,
            MlflowPatience patience,
            Clock clock,
            Consumer<String> warns) {
        this.address = address;
        this.folder = run.folder();
        this.run = run;
        this.calls = calls;
        this.patience = patience;
        this.clock = clock;
        this.warns = warns;
        thread.setDaemon(true);
    }

    /** Begins; what the server says to that is waited for, some seconds at most. */
    void begin() {
        thread.start();
        String why;
        try {
            boolean isAnswered = begun.await(patience.beginning().toNanos(), TimeUnit.NANOSECONDS);
            why = isAnswered ? trouble : "no answer in time";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            why = "interrupted";
        }
        if (!why.isEmpty()) {
            warns.accept(
                    "MLflow at %s is away (%s): training goes on, and what it has to be told is"
                                    .formatted(address, why)
                            + " kept in the run's folder until it is back");
        }
    }

    @Override
    public void step(StepRecord step) {
        offer(step);
    }

    @Override
    public void evaluation(EvaluationRecord evaluation) {
        offer(evaluation);
    }

    private void offer(Object record) {
        if (hasGap || !queue.offer(record)) {
            hasGap = true; // The folder has it, and what comes after it waits for it.
        }
    }

    private void follow() {
        try {
            long pauseMillis = passed() ? PASS_MILLIS : 2 * PASS_MILLIS;
            begun.countDown();
            while (!ended.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                pauseMillis =
                        isRefused || passed()
                                ? PASS_MILLIS
                                : Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
            }
            finishNow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Nobody does that but the end of the process.
        }
    }

    /** Whether the server has all that was queued. */
    private boolean passed() {
        try {
            run.open();
            if (hasGap) {
                // In order: of a step behind the last one that it has the server is told no more.
                underWay.clear();
                queue.clear();
                hasGap = false;
                RunRecord record = RunRecord.read(folder);
                run.figures(record.steps(), record.evaluations());
            }
            while (!hasGap && (!underWay.isEmpty() || queue.drainTo(underWay, AT_A_TIME) > 0)) {
                run.figures(of(StepRecord.class), of(EvaluationRecord.class));
                underWay.clear();
            }
            trouble = "";
            return true;
        } catch (Refused e) {
            isRefused = true;
            failed(e);
        } catch (IOException | RuntimeException e) {
            hasGap = true;
            failed(e);
        }
        return false;
    }

    private <T> List<T> of(Class<T> type) {
        return underWay.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The same once; the first is said where the run begins. */
    private void failed(Exception e) {
        String why = String.valueOf(e.getMessage());
        if (!why.equals(trouble) && begun.getCount() == 0) {
            LOG.warn("MLflow at {} is not told at the moment: {}", address, why);
        }
        trouble = why;
    }

    /** Ends the wait of {@link #finish}, and the call under way. From any thread. */
    void stopWaiting() {
        stopped.countDown();
        calls.stop();
        ended.countDown();
    }

    /**
     * Sends the rest of a run whose record is whole; says what it could not. It waits for a server
     * as {@link MlflowPatience} says, and no longer.
     */
    void finish() {
        // A call under way ends by itself: if it were made again, the server might take it twice.
        calls.endAfter(patience.end().plus(BoundedCalls.timeOf(TrackedFiles.bytes(folder))));
        ended.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopWaiting();
        }
        SentSoFar sent = run.sent();
        if (sent == null || !sent.isWhole()) {
            warns.accept(
                    "MLflow at %s has not all of the run (%s): it has %s; medley runs track %s sends the"
                                    .formatted(address, trouble, run.had(), folder.path())
                            + " rest");
        }
    }

    /** Who has not answered all along is asked once more, and not waited for. */
    private void finishNow() throws InterruptedException {
        long silenceNs = run.sent() == null ? 0 : patience.silence().toNanos();
        long answered = calls.answered();
        long untilNs = clock.nowNs() + silenceNs;
        while (!isFinished() && !isRefused && calls.canGoOn()) {
            if (calls.answered() > answered) {
                answered = calls.answered();
                untilNs = clock.nowNs() + silenceNs;
            }
            if (clock.nowNs() >= untilNs || stopped.await(1, TimeUnit.SECONDS)) {
                return;
            }
        }
    }

    private boolean isFinished() {
        try {
            run.finish(RunRecord.read(folder));
            return true;
        } catch (Refused e) {
            isRefused = true;
            failed(e);
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
        return false;
    }
}
