package dev.medley.data.order;

import java.util.function.LongConsumer;

/**
 * Maps each position of an epoch to a sample. Every sample stands at exactly one position, so that
 * a run accounts for positions only.
 *
 * <p>Thread: one at a time.
 */
public interface EpochOrder {
    /** That of the set itself; nothing is read ahead. */
    EpochOrder AS_IT_LIES =
            new EpochOrder() {
                @Override
                public long sampleAt(long position) {
                    return position;
                }

                @Override
                public void readAhead(SampleRange range, EpochOrder next, LongConsumer fetch) {}
            };

    /** The sample at {@code position}. */
    long sampleAt(long position);

    /**
     * Says which blocks come to be needed after {@code range} was taken, each once, in time.
     *
     * @param next the order of the next epoch
     * @param fetch told the blocks
     */
    void readAhead(SampleRange range, EpochOrder next, LongConsumer fetch);
}
