package dev.medley.training.loop;

import dev.medley.base.memory.Batch;
import dev.medley.data.order.SampleRange;
import dev.medley.net.membership.Seat;
import dev.medley.training.strategy.Feed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives the batches of one group, and measures the wait for them. */
final class TimedFeed implements Feed {
    private final RoundBatches batches;
    private final StepTimer timer;
    private final Seat seat;
    private final int epoch;
    private @Nullable Batch last;
    private int samples;

    TimedFeed(RoundBatches batches, StepTimer timer, Seat seat, int epoch) {
        this.batches = batches;
        this.timer = timer;
        this.seat = seat;
        this.epoch = epoch;
    }

    /** A step begins, with so many batches of the shares from number {@code first} on. */
    void begin(long first, int count, List<SampleRange> behind) {
        if (!batches.begin(first, count, behind)) {
            last = null;
        }
        samples = 0;
    }

    @Override
    public Batch next() {
        timer.dataWanted();
        Batch next = batches.next();
        timer.dataReady(batches.stallNs());
        last = next;
        samples += next.samples();
        return next;
    }

    /** The batch that was taken last; null before the first, and where batches begin anew. */
    @Nullable Batch last() {
        return last;
    }

    /** Samples that were taken in this step. */
    int samples() {
        return samples;
    }

    @Override
    public boolean isWanted() {
        return seat.isOpen(epoch);
    }
}
