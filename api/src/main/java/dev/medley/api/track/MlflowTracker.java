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
import org.jspecify.annotations.Nullable;
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
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(15);

    private final String address;
    private final RunFolder folder;
    private final MlflowRun run;
    private final Clock clock;
    private final Consumer<String> warns;
    private final BlockingQueue<Object> queue = new ArrayBlockingQueue<>(QUEUED);
    private final List<Object> underWay = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = new Thread(this::follow, "mlflow-tracker");

    /**
     * Whether the folder has steps before those that are queued; so it is of a run gone on with.
     */
    private volatile boolean hasGap = true;

    private volatile boolean isStopped;
    private volatile boolean isRefused;
    private volatile String trouble = "";

    /**
     * Of a run.
     *
     * @param warns told once that the server is away, and at the end what it has not got; on the
     *     caller's thread
     */
    MlflowTracker(
            String address, RunFolder folder, MlflowRun run, Clock clock, Consumer<String> warns) {
        this.address = address;
        this.folder = folder;
        this.run = run;
        this.clock = clock;
        this.warns = warns;
        thread.setDaemon(true);
    }

    /** Begins; what the server says to that is waited for, some seconds at most. */
    void begin() {
        if (!passed()) {
            warns.accept(
                    "MLflow at %s is away (%s): training goes on, and what it has to be told is"
                                    .formatted(address, trouble)
                            + " kept in the run's folder until it is back");
        }
        thread.start();
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
        long pauseMillis = PASS_MILLIS;
        try {
            while (!ended.await(pauseMillis, TimeUnit.MILLISECONDS) && !isRefused) {
                pauseMillis =
                        passed() ? PASS_MILLIS : Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The run ends.
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

    /** The same once. */
    private void failed(Exception e) {
        String why = String.valueOf(e.getMessage());
        if (!why.equals(trouble) && Thread.currentThread() == thread) {
            LOG.warn("MLflow at {} is not told at the moment: {}", address, why);
        }
        trouble = why;
    }

    /** Ends the wait of {@link #finish}. From any thread. */
    void stopWaiting() {
        isStopped = true;
        ended.countDown();
    }

    /** Sends the rest of a run whose record is whole; says where it could not. */
    void finish() {
        ended.countDown();
        thread.interrupt(); // A call under way is made again.
        try {
            thread.join();
            // Who has not answered all along is not waited for.
            long untilNs = clock.nowNs() + (run.sent() == null ? 0 : PATIENCE_NS);
            while (!isFinished() && !isStopped && !isRefused && clock.nowNs() < untilNs) {
                CountDownLatch pause = new CountDownLatch(1);
                boolean unused = pause.await(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            trouble = "interrupted";
        }
        SentSoFar sent = run.sent();
        if (sent == null || !sent.isWhole()) {
            warns.accept(
                    "MLflow at %s has not all of the run (%s): it has %s; medley runs track %s sends the"
                                    .formatted(address, trouble, has(sent), folder.path())
                            + " rest");
        }
    }

    private static String has(@Nullable SentSoFar sent) {
        return sent == null
                ? "nothing"
                : "figures up to step %d, and not all of its files".formatted(sent.step());
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
