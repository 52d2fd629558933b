package dev.medley.data.batch;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.BatchBuffers;
import java.util.Locale;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gives the same samples in every step, to who takes all of a share at once. They are read when the
 * share changes, in the order in which they lie, and there is one copy of them.
 *
 * <p>Thread: the caller's.
 */
final class HeldShare implements BatchStream {
    /** One array of a batch ends there. */
    private static final long MOST_BYTES = Integer.MAX_VALUE;

    private final BatchAssembler assembler;
    private final LongFunction<SampleRange> rangeOfStep;
    private final BatchBuffers buffers;
    private final Signature signature;
    private final Clock clock;
    private long step;
    private @Nullable SampleRange held;
    private Batch batch;
    private long stallNs;

    HeldShare(
            BatchAssembler assembler,
            LongFunction<SampleRange> rangeOfStep,
            long firstStep,
            Signature signature,
            Clock clock) {
        this.assembler = assembler;
        this.rangeOfStep = rangeOfStep;
        this.step = firstStep;
        this.signature = signature;
        this.clock = clock;
        this.buffers = new BatchBuffers(signature);
        this.batch = buffers.batch(0);
    }

    /**
     * Complains about a share that one batch cannot hold.
     *
     * @param samples of it
     * @param all samples, of all shares
     */
    static void require(Signature signature, long samples, long all) {
        long each = BatchBuffers.bytesPerSample(signature);
        if (samples * each > MOST_BYTES) {
            throw new ConfigException(
                    String.format(
                            Locale.ROOT,
                            "train.optimizer=lbfgs: a worker holds all samples of its share, and"
                                    + " %,d samples of %,d bytes are more than the 2 GiB that it"
                                    + " can hold: take %d workers or more (cluster.workers), or"
                                    + " adamw, which takes batches",
                            samples,
                            each,
                            (all * each + MOST_BYTES - 1) / MOST_BYTES));
        }
    }

    @Override
    public Batch next() {
        SampleRange range = rangeOfStep.apply(step++);
        SampleRange now = new SampleRange(0, range.from(), range.to());
        if (!now.equals(held)) {
            long since = clock.nowNs();
            require(signature, now.samples(), now.samples());
            batch = assembler.assemble(now, buffers, () -> false);
            held = now;
            stallNs += clock.nowNs() - since;
        }
        return batch;
    }

    @Override
    public long stallNs() {
        long waited = stallNs;
        stallNs = 0;
        return waited;
    }

    @Override
    public void close() {
        // Its memory goes with it.
    }
}
