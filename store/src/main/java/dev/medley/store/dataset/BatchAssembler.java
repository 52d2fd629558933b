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
    private EpochOrder order;
    private EpochOrder nextOrder;
    private long epoch;

    /**
     * Batches of an epoch's samples, from epoch {@code firstEpoch} on.
     *
     * @param orderOfEpoch the order of an epoch; asked for one ahead
     */
    BatchAssembler(
            long samplesPerEpoch,
            long firstEpoch,
            LongFunction<EpochOrder> orderOfEpoch,
            SampleReader reader) {
        this.samplesPerEpoch = samplesPerEpoch;
        this.orderOfEpoch = orderOfEpoch;
        this.reader = reader;
        epoch = firstEpoch;
        order = orderOfEpoch.apply(epoch);
        nextOrder = orderOfEpoch.apply(epoch + 1);
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
        order.readAhead(range, nextOrder, reader::fetch);
    }

    private void moveTo(long wanted) {
        if (wanted != epoch) {
            order = wanted == epoch + 1 ? nextOrder : orderOfEpoch.apply(wanted);
            nextOrder = orderOfEpoch.apply(wanted + 1);
            epoch = wanted;
        }
    }
}
