package dev.medley.serving.batch;

import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.input.EncodedRows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Deals rows of callers out to batches: who came first is first, and who has more than a batch
 * takes is served in several, with others in between.
 *
 * <p>Thread: any.
 */
final class RowQueue {
    /** Batches of one caller that count against what may wait: more do not send others away. */
    private static final int COUNTED_BATCHES = 4;

    private final BatchLimits limits;
    private final BatchFigures figures;
    private final Clock clock;

    /** Guards what follows. */
    private final Object lock = new Object();

    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private int waitingRows;
    private ServiceTime time = ServiceTime.UNKNOWN;
    private boolean isClosed;

    /** A caller's rows, as far as they are not computed. */
    static final class Waiting {
        final EncodedRows rows;
        final long sinceNs;
        private final long deadlineNs;
        private final int counted;
        final CompletableFuture<Computed> future = new CompletableFuture<>();
        float[] outputs = new float[0];
        int width;
        private int next;
        private int done;
        int batches;
        long firstNs;

        Waiting(EncodedRows rows, int counted, long sinceNs, long deadlineNs) {
            this.rows = rows;
            this.counted = counted;
            this.sinceNs = sinceNs;
            this.deadlineNs = deadlineNs;
        }
    }

    /** Some rows of a caller in a batch. */
    record Part(Waiting of, int from, int count, int at) {}

    RowQueue(BatchLimits limits, BatchFigures figures, Clock clock) {
        this.limits = limits;
        this.figures = figures;
        this.clock = clock;
    }

    /** Has a caller's rows wait; fails where there is no room. */
    CompletableFuture<Computed> submit(EncodedRows rows, long deadlineNs) {
        int counted = Math.min(rows.rows(), COUNTED_BATCHES * limits.mostRows());
        Waiting waiting = new Waiting(rows, counted, clock.nowNs(), deadlineNs);
        synchronized (lock) {
            if (isClosed) {
                return CompletableFuture.failedFuture(
                        new ServingFailure(
                                Kind.UNAVAILABLE, "this version of the model is being unloaded"));
            }
            boolean isAlone = queue.isEmpty();
            if (!isAlone && waitingRows + (long) counted > limits.mostWaitingRows()) {
                long seconds = BatchSizing.retryAfterS(time, limits, waitingRows);
                figures.refused();
                return CompletableFuture.failedFuture(
                        new ServingFailure(
                                Kind.TOO_MANY,
                                "%d rows wait already, and %d more are too many: come back in %d s"
                                        .formatted(waitingRows, rows.rows(), seconds),
                                seconds));
            }
            waitingRows += counted;
            queue.add(waiting);
            lock.notify();
        }
        return waiting.future;
    }

    /** Rows that wait. */
    int waitingRows() {
        synchronized (lock) {
            return waitingRows;
        }
    }

    /** The rows of the next batch; none when all is over. */
    List<Part> next() {
        List<Part> parts = new ArrayList<>();
        List<Waiting> late = new ArrayList<>();
        synchronized (lock) {
            while (parts.isEmpty()) {
                while (queue.isEmpty()) {
                    if (isClosed) {
                        return parts;
                    }
                    try {
                        lock.wait();
                    } catch (InterruptedException e) {
                        return parts;
                    }
                }
                take(BatchSizing.most(time, limits).rows(), parts, late);
            }
            if (!queue.isEmpty()) {
                lock.notify(); // For another copy.
            }
        }
        for (Waiting each : late) {
            figures.late();
            each.future.completeExceptionally(
                    new ServingFailure(Kind.LATE, "the time for this request is over"));
        }
        return parts;
    }

    private void take(int most, List<Part> parts, List<Waiting> late) {
        long nowNs = clock.nowNs();
        int at = 0;
        while (at < most && !queue.isEmpty()) {
            Waiting first = queue.element();
            if (first.future.isDone() || nowNs - first.deadlineNs > 0) {
                queue.remove();
                waitingRows -= first.counted;
                late.add(first);
                continue;
            }
            int count = Math.min(most - at, first.rows.rows() - first.next);
            if (first.next == 0) {
                first.firstNs = nowNs;
            }
            parts.add(new Part(first, first.next, count, at));
            first.next += count;
            first.batches++;
            at += count;
            if (first.next == first.rows.rows()) {
                queue.remove();
                waitingRows -= first.counted;
            } else if (at == most && queue.size() > 1) {
                queue.add(queue.remove()); // Others in between.
            }
        }
    }

    /**
     * Gives callers the outputs of a batch.
     *
     * @return those that have all of theirs now
     */
    List<Waiting> done(List<Part> parts, float[] outputs, int rows, long tookNs) {
        List<Waiting> whole = new ArrayList<>();
        synchronized (lock) {
            time = time.with(rows, tookNs);
            int width = outputs.length / rows;
            for (Part part : parts) {
                Waiting of = part.of();
                if (of.outputs.length == 0) {
                    of.width = width;
                    of.outputs = new float[of.rows.rows() * width];
                }
                System.arraycopy(
                        outputs,
                        part.at() * width,
                        of.outputs,
                        part.from() * width,
                        part.count() * width);
                of.done += part.count();
                if (of.done == of.rows.rows()) {
                    whole.add(of);
                }
            }
        }
        return whole;
    }

    /** Takes no more; what waits is dealt out. */
    void close() {
        synchronized (lock) {
            isClosed = true;
            lock.notifyAll();
        }
    }
}
