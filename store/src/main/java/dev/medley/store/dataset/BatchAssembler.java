package dev.medley.store.dataset;

import dev.medley.base.memory.Batch;
import dev.medley.store.shard.BatchBuffers;
import dev.medley.store.shard.BlockLayout;
import dev.medley.store.shard.SampleKey;

/**
 * Puts batches of training together, and reads ahead in step with them: when a part of a window has
 * been used, the same part of the next window's blocks is in memory.
 *
 * <p>Thread: one.
 */
final class BatchAssembler {
    private final BlockLayout layout;
    private final long seed;
    private final SampleReader reader;
    private SampleOrder order;
    private SampleOrder nextOrder;
    private long epoch;
    private long fetchedFor = -1;
    private long fetched;

    BatchAssembler(BlockLayout layout, long seed, SampleReader reader) {
        this.layout = layout;
        this.seed = seed;
        this.reader = reader;
        order = new SampleOrder(layout, seed, 0);
        nextOrder = new SampleOrder(layout, seed, 1);
    }

    Batch assemble(SampleRange range, BatchBuffers buffers) {
        if (range.to() > layout.samples()) {
            throw new IllegalStateException(
                    "positions to %d of an epoch of %d samples"
                            .formatted(range.to(), layout.samples()));
        }
        moveTo(range.epoch());
        int samples = range.samples();
        buffers.reserve(samples);
        for (int row = 0; row < samples; row++) {
            long index = order.sampleAt(range.from() + row);
            reader.read(new SampleKey(epoch, index), buffers, row);
        }
        return buffers.batch(samples);
    }

    /** Fetches blocks of the window after the one in which {@code range} ends. */
    void readAhead(SampleRange range) {
        if (order.windows() < 2 || range.to() == 0) {
            return;
        }
        long window = order.windowOf(range.to() - 1);
        if (fetchedFor != window) {
            fetchedFor = window;
            fetched = 0;
        }
        boolean isLast = window + 1 == order.windows();
        SampleOrder next = isLast ? nextOrder : order;
        long first = isLast ? 0 : next.firstPlace(window + 1);
        long last = next.firstPlace(isLast ? 1 : window + 2);
        long start = order.windowStart(window);
        double used = (double) (range.to() - start) / (order.windowStart(window + 1) - start);
        long due = (long) Math.ceil(used * (last - first));
        for (; fetched < due; fetched++) {
            reader.fetch(next.blockAt(first + fetched));
        }
    }

    private void moveTo(long wanted) {
        if (wanted != epoch) {
            order = wanted == epoch + 1 ? nextOrder : new SampleOrder(layout, seed, wanted);
            nextOrder = new SampleOrder(layout, seed, wanted + 1);
            epoch = wanted;
            fetchedFor = -1;
        }
    }
}
