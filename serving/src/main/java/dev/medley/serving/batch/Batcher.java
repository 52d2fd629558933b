package dev.medley.serving.batch;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.time.Clock;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.onnx.engine.Engine;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.input.EncodedRows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes the rows of callers in batches. A batch is a number of rows, of one caller or of many; a
 * caller with more than a batch takes is served in several, and others in between.
 *
 * <p>Thread: any submits and closes; futures are completed by the threads that compute.
 */
public final class Batcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Batcher.class);

    /** Of one caller: what a JVM can hold beside others. */
    private static final long MOST_OUTPUTS = 1L << 26;

    /** Batches of one caller that count against what may wait: more do not send others away. */
    private static final int COUNTED_BATCHES = 4;

    private final Work work;
    private final BatchLimits limits;
    private final BatchFigures figures;
    private final Clock clock;
    private final List<Thread> threads = new ArrayList<>();

    /** Guards what follows. */
    private final Object lock = new Object();

    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private int waitingRows;
    private ServiceTime time = ServiceTime.UNKNOWN;
    private boolean isClosed;

    /** A caller's rows, as far as they are not computed. */
    private static final class Waiting {
        private final EncodedRows rows;
        private final long sinceNs;
        private final long deadlineNs;
        private final int counted;
        private final CompletableFuture<Computed> future = new CompletableFuture<>();
        private float[] outputs = new float[0];
        private int width;
        private int next;
        private int done;
        private int batches;
        private long firstNs;

        Waiting(EncodedRows rows, int counted, long sinceNs, long deadlineNs) {
            this.rows = rows;
            this.counted = counted;
            this.sinceNs = sinceNs;
            this.deadlineNs = deadlineNs;
        }
    }

    /** Some rows of a caller in a batch. */
    private record Part(Waiting of, int from, int count, int at) {}

    /**
     * Says what is computed.
     *
     * @param name of the model, for the names of threads
     * @param decoders makes one for each thread
     */
    public record Work(
            String name,
            Engine engine,
            Signature signature,
            Supplier<@Nullable RecordDecoder> decoders) {}

    /**
     * Begins threads that compute.
     *
     * @param copies how many threads
     */
    public Batcher(Work work, BatchLimits limits, int copies, BatchFigures figures, Clock clock) {
        this.work = work;
        this.limits = limits;
        this.figures = figures;
        this.clock = clock;
        for (int i = 0; i < copies; i++) {
            Thread thread = new Thread(this::run, "medley-serve-" + work.name() + "-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /**
     * Computes a caller's rows.
     *
     * @param deadlineNs of the clock, after which nobody waits for them
     * @return completes with their outputs, or with a {@link ServingFailure}
     */
    public CompletableFuture<Computed> submit(EncodedRows rows, long deadlineNs) {
        int counted = Math.min(rows.rows(), COUNTED_BATCHES * limits.mostRows());
        Waiting waiting = new Waiting(rows, counted, clock.nowNs(), deadlineNs);
        if (rows.rows() * (long) width(work.signature()) > MOST_OUTPUTS) {
            return failed(
                    Kind.TOO_LARGE,
                    "%d rows of %d outputs each are too many for one request: send fewer"
                            .formatted(rows.rows(), width(work.signature())));
        }
        if (rows.rows() == 0) {
            return CompletableFuture.completedFuture(new Computed(new float[0], 0, 0, 0, 0));
        }
        synchronized (lock) {
            if (isClosed) {
                return failed(Kind.UNAVAILABLE, "this version of the model is being unloaded");
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

    private static CompletableFuture<Computed> failed(Kind kind, String sentence) {
        return CompletableFuture.failedFuture(new ServingFailure(kind, sentence));
    }

    /** Rows that wait. */
    public int waitingRows() {
        synchronized (lock) {
            return waitingRows;
        }
    }

    /** Outputs of one row. */
    private static int width(Signature signature) {
        int outputs = Math.max(2, signature.target().outputs());
        return signature.target().kind() == TargetKind.TOKENS
                ? Math.multiplyExact(outputs, signature.inputs().get(0).shape().get(0))
                : outputs;
    }

    private void run() {
        BatchBuffers buffers = null;
        RecordDecoder decoder = null;
        for (List<Part> parts = next(); !parts.isEmpty(); parts = next()) {
            try {
                if (buffers == null) {
                    decoder = work.decoders().get();
                    buffers = new BatchBuffers(work.signature());
                }
                compute(parts, decoder, buffers);
            } catch (RuntimeException | Error e) {
                // Whatever it was, who comes next is served, and nobody waits for nothing.
                if (parts.size() == 1 || buffers == null || e instanceof Error) {
                    fail(parts, e);
                } else {
                    eachAlone(parts, decoder, buffers);
                }
            }
        }
    }

    /**
     * One of several callers may have sent what a model cannot compute: the others can do nothing
     * for it.
     */
    private void eachAlone(
            List<Part> parts, @Nullable RecordDecoder decoder, BatchBuffers buffers) {
        for (Part part : parts) {
            List<Part> alone = List.of(new Part(part.of(), part.from(), part.count(), 0));
            try {
                compute(alone, decoder, buffers);
            } catch (RuntimeException | Error e) {
                fail(alone, e);
            }
        }
    }

    private static void fail(List<Part> parts, Throwable e) {
        LOG.error("a batch failed", e);
        ServingFailure told =
                new ServingFailure(
                        Kind.INTERNAL, "the model failed, and the server's log says how");
        parts.forEach(part -> part.of().future.completeExceptionally(told));
    }

    /** The rows of the next batch; none when all is over. */
    private List<Part> next() {
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

    private void compute(List<Part> parts, @Nullable RecordDecoder decoder, BatchBuffers buffers) {
        Part last = parts.get(parts.size() - 1);
        int rows = last.at() + last.count();
        buffers.reserve(rows);
        long beginNs = clock.nowNs();
        for (Part part : parts) {
            part.of().rows.put(part.from(), part.count(), decoder, buffers, part.at());
        }
        long filledNs = clock.nowNs();
        float[] outputs = work.engine().forward(buffers.batch(rows));
        long endNs = clock.nowNs();
        figures.batch(rows, filledNs - beginNs, endNs - filledNs);
        List<Waiting> whole = new ArrayList<>();
        synchronized (lock) {
            time = time.with(rows, endNs - beginNs);
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
        for (Waiting of : whole) {
            of.future.complete(
                    new Computed(
                            of.outputs,
                            of.width,
                            of.firstNs - of.sinceNs,
                            endNs - of.firstNs,
                            of.batches));
        }
    }

    /** Computes what waits, and ends. No more is taken. */
    @Override
    public void close() {
        synchronized (lock) {
            isClosed = true;
            lock.notifyAll();
        }
        for (Thread thread : threads) {
            boolean isInterrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
