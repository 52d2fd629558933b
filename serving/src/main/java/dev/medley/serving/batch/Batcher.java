package dev.medley.serving.batch;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.time.Clock;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.onnx.engine.Engine;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.batch.RowQueue.Part;
import dev.medley.serving.batch.RowQueue.Waiting;
import dev.medley.serving.input.EncodedRows;
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

    private final Work work;
    private final RowQueue queue;
    private final BatchFigures figures;
    private final Clock clock;
    private final List<Thread> threads = new ArrayList<>();

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
        this.queue = new RowQueue(limits, figures, clock);
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
        if (rows.rows() * (long) width(work.signature()) > MOST_OUTPUTS) {
            return CompletableFuture.failedFuture(
                    new ServingFailure(
                            Kind.TOO_LARGE,
                            "%d rows of %d outputs each are too many for one request: send fewer"
                                    .formatted(rows.rows(), width(work.signature()))));
        }
        if (rows.rows() == 0) {
            return CompletableFuture.completedFuture(new Computed(new float[0], 0, 0, 0, 0));
        }
        return queue.submit(rows, deadlineNs);
    }

    /** Rows that wait. */
    public int waitingRows() {
        return queue.waitingRows();
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
        for (List<Part> parts = queue.next(); !parts.isEmpty(); parts = queue.next()) {
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
        List<Waiting> whole = queue.done(parts, outputs, rows, endNs - beginNs);
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
        queue.close();
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
