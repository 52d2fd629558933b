package dev.medley.data.batch;

import dev.medley.base.memory.Batch;
import dev.medley.data.order.EpochOrder;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.SampleKey;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Assembles batches of training samples, and reads blocks ahead in step with them.
 *
 * <p>Thread: one.
 */
final class BatchAssembler {
    private final long samplesPerEpoch;
    private final LongFunction<EpochOrder> orderOfEpoch;
    private final SampleReader reader;
    private final boolean readsAhead;
    private @Nullable EpochOrder order;
    private @Nullable EpochOrder nextOrder;
    private long epoch = -1;

    /**
     * Batches of epochs.
     *
     * @param orderOfEpoch the order of an epoch; asked for one ahead where blocks are read ahead
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
    }

    /**
     * The batch of a range.
     *
     * @param isStopped looked at before each sample, which may have to come from far away; what is
     *     left out then is not used by anybody
     */
    Batch assemble(SampleRange range, BatchBuffers buffers, BooleanSupplier isStopped) {
        if (range.to() > samplesPerEpoch) {
            throw new IllegalStateException(
                    "positions to %d of an epoch of %d samples"
                            .formatted(range.to(), samplesPerEpoch));
        }
        EpochOrder at = moveTo(range.epoch());
        int samples = range.samples();
        buffers.reserve(samples);
        for (int row = 0; row < samples && !isStopped.getAsBoolean(); row++) {
            long index = at.sampleAt(range.from() + row);
            reader.read(new SampleKey(epoch, index), buffers, row);
        }
        return buffers.batch(samples);
    }

    /** Fetches blocks that come to be needed after {@code range}. */
    void readAhead(SampleRange range, BooleanSupplier isStopped) {
        if (!readsAhead) {
            return;
        }
        EpochOrder at = moveTo(range.epoch());
        EpochOrder next = nextOrder;
        if (next == null) {
            next = orderOfEpoch.apply(epoch + 1);
            nextOrder = next;
        }
        at.readAhead(
                range,
                next,
                block -> {
                    if (!isStopped.getAsBoolean()) {
                        reader.fetch(block);
                    }
                });
    }

    private EpochOrder moveTo(long wanted) {
        EpochOrder at = order;
        if (wanted != epoch || at == null) {
            EpochOrder next = nextOrder;
            at = wanted == epoch + 1 && next != null ? next : orderOfEpoch.apply(wanted);
            order = at;
            nextOrder = null;
            epoch = wanted;
        }
        return at;
    }
}
