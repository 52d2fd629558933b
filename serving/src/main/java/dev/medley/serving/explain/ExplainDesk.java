package dev.medley.serving.explain;

import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes explanations on threads of its own, so that none delays a prediction. What does not find
 * room in its queue is refused; rows for the figures wait in none.
 *
 * <p>Thread: any.
 */
public final class ExplainDesk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExplainDesk.class);
    private static final long END_S = 5;

    /** Rows for the figures take one part in so many of a thread's time at most. */
    private static final long PARTS = 50;

    private final ExplainLimits limits;
    private final Clock clock;
    private final ThreadPoolExecutor threads;
    private final AtomicLong observesFromNs = new AtomicLong(Long.MIN_VALUE);
    private final LongAdder explained = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /** A desk without work. */
    public ExplainDesk(ExplainLimits limits, Clock clock) {
        this.limits = limits;
        this.clock = clock;
        threads =
                new ThreadPoolExecutor(
                        limits.threads(),
                        limits.threads(),
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(limits.queue()),
                        task -> {
                            Thread thread = new Thread(task, "medley-explain");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** What it is bounded by. */
    public ExplainLimits limits() {
        return limits;
    }

    /** Requests that were explained. */
    public long explained() {
        return explained.sum();
    }

    /** Requests that found no room. */
    public long refused() {
        return refused.sum();
    }

    /** Requests that failed. */
    public long failed() {
        return failed.sum();
    }

    /**
     * Computes an answer in its turn.
     *
     * @param deadlineNs of the clock, after which nobody waits for it
     * @throws ServingFailure if there is no room
     */
    public <T> CompletableFuture<T> submit(Supplier<T> work, long deadlineNs) {
        try {
            return CompletableFuture.supplyAsync(() -> inTime(work, deadlineNs), threads)
                    .whenComplete(
                            (answer, thrown) -> (thrown == null ? explained : failed).increment());
        } catch (RejectedExecutionException e) {
            refused.increment();
            throw new ServingFailure(
                    Kind.TOO_MANY,
                    "%d explanations wait already: try again".formatted(limits.queue()));
        }
    }

    private <T> T inTime(Supplier<T> work, long deadlineNs) {
        if (threads.isShutdown()) {
            throw new ServingFailure(Kind.UNAVAILABLE, "the server is ending");
        }
        if (clock.nowNs() >= deadlineNs) {
            throw new ServingFailure(
                    Kind.LATE, "the time for this request was over before its turn came");
        }
        return work.get();
    }

    /**
     * Explains rows for the figures, if nobody else waits, and the last ones are long enough ago:
     * what is missed is not made up for.
     *
     * @param end is called when it is done, or passed over
     */
    public void observe(Supplier<RowExplainer.Answer> work, ContributionFigures to, Runnable end) {
        long fromNs = observesFromNs.get();
        boolean isTime = fromNs == Long.MIN_VALUE || clock.nowNs() - fromNs >= 0;
        if (!isTime || !threads.getQueue().isEmpty()) {
            end.run();
            return;
        }
        try {
            threads.execute(
                    () -> {
                        long beginNs = clock.nowNs();
                        try {
                            to.add(work.get());
                        } catch (RuntimeException | LinkageError e) {
                            LOG.debug("a row could not be explained: {}", e.toString());
                        } finally {
                            long nowNs = clock.nowNs();
                            observesFromNs.set(nowNs + (PARTS - 1) * (nowNs - beginNs));
                            end.run();
                        }
                    });
        } catch (RejectedExecutionException e) {
            end.run();
        }
    }

    /** Refuses what waits, and lets what is under way end. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(END_S, TimeUnit.SECONDS)) {
                LOG.warn("an explanation goes on while the server ends");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
