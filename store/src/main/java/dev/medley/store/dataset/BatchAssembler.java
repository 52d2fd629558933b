package dev.medley.store.dataset;

import dev.medley.base.memory.Batch;
import dev.medley.store.shard.BatchBuffers;
import dev.medley.store.shard.SampleKey;
import java.util.function.LongFunction;

/**
 * Puts batches of training together, and reads ahead in step with them.
 *
 * <p>Thread: one.
 */
final class BatchAssembler {
    private final long samplesPerEpoch;
    private final LongFunction<EpochOrder> orderOfEpoch;
    private final SampleReader reader;
    private final boolean readsAhead;
    private EpochOrder order;
    private EpochOrder nextOrder;
    private long epoch;

    /**
     * Batches of epochs.
     *
     * @param orderOfEpoch the order of an epoch; asked for one ahead
     * @param readsAhead whether blocks are fetched before they are needed
     */
    BatchAssembler(
            long samplesPerEpoch,
            LongFunction<EpochOrder> orderOfEpoch,
            SampleReader reader,
            boolean readsAhead) {
        this.readsAhead = readsAhead;
        this.samplesPerEpoch = samplesPerEpoch;
        this.orderOfEpoch = orderOfEpoch;
        this.reader = reader;
        order = orderOfEpoch.apply(0);
        nextOrder = orderOfEpoch.apply(1);
    }

    Batch assemble(SampleRange range, BatchBuffers buffers) {
        if (range.to() > samplesPerEpoch) {
            throw new IllegalStateException(
                    "positions to %d of an epoch of %d samples"
                            .formatted(range.to(), samplesPerEpoch));
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

    /** Fetches blocks that come to be needed after {@code range}. */
    void readAhead(SampleRange range) {
        if (readsAhead) {
            order.readAhead(range, nextOrder, reader::fetch);
        }
    }

    private void moveTo(long wanted) {
        if (wanted != epoch) {
            order = wanted == epoch + 1 ? nextOrder : orderOfEpoch.apply(wanted);
            nextOrder = orderOfEpoch.apply(wanted + 1);
            epoch = wanted;
        }
    }
}
