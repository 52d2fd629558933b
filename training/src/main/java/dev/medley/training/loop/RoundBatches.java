package dev.medley.training.loop;

import dev.medley.base.memory.Batch;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.order.SampleRange;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gives the batches of one rank in one group. Those of its shares come in a row over all steps; in
 * a round that takes over what others left, the batches of that come behind them. Where a round
 * ended before all of its batches were taken, the row begins again at the next round; where some of
 * the next round's were taken already, it continues behind them.
 *
 * <p>Thread: the training thread.
 */
public final class RoundBatches implements AutoCloseable {
    private final Source source;
    private final LongFunction<SampleRange> shares;
    private BatchStream row;
    private @Nullable BatchStream behind;
    private long next;
    private long inRow;
    private long stallNs;

    /** Prepares batches ahead. */
    @FunctionalInterface
    public interface Source {
        /**
         * The batches of these ranges, from number {@code first} on.
         *
         * @param isOwn whether they are this rank's by its share, and no others that it takes over
         */
        BatchStream open(LongFunction<SampleRange> ranges, long first, boolean isOwn);
    }

    /**
     * The batches of the shares.
     *
     * @param shares the samples of each batch, by number
     * @param first number of the next
     */
    public RoundBatches(Source source, LongFunction<SampleRange> shares, long first) {
        this.source = source;
        this.shares = shares;
        this.next = first;
        this.row = source.open(shares, first, true);
    }

    /**
     * A round begins.
     *
     * @param first number of its first batch of the shares
     * @param count of them
     * @param others batches that it takes behind them
     * @return whether the batches that came last are still valid
     */
    boolean begin(long first, int count, List<SampleRange> others) {
        boolean isValid = next >= first && behind == null;
        if (next < first) {
            row.close();
            row = source.open(shares, first, true);
            next = first;
        }
        inRow = first + count;
        closeBehind();
        if (!others.isEmpty()) {
            SampleRange none = new SampleRange(others.get(0).epoch(), 0, 0);
            behind =
                    source.open(
                            number -> number <= others.size() ? others.get((int) number - 1) : none,
                            1,
                            false);
        }
        return isValid;
    }

    /** The next batch; waits if it is not ready. It is valid until the second call after this. */
    Batch next() {
        BatchStream from = behind != null && next == inRow ? behind : row;
        if (from == row) {
            next++;
        }
        Batch batch = from.next();
        stallNs += from.stallNs();
        return batch;
    }

    /** Nanoseconds waited in {@link #next} since the last call of this method. */
    long stallNs() {
        long waited = stallNs;
        stallNs = 0;
        return waited;
    }

    @Override
    public void close() {
        closeBehind();
        row.close();
    }

    private void closeBehind() {
        if (behind != null) {
            behind.close();
            behind = null;
        }
    }
}
