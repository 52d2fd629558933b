package dev.medley.training.loop;

import dev.medley.base.memory.Batch;
import dev.medley.net.membership.Seat;
import dev.medley.store.dataset.BatchStream;
import dev.medley.training.strategy.Feed;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The batches of one group, with the time that waiting for them takes. */
final class TimedFeed implements Feed {
    private final BatchStream batches;
    private final StepTimer timer;
    private final Seat seat;
    private final int epoch;
    private @Nullable Batch last;

    TimedFeed(BatchStream batches, StepTimer timer, Seat seat, int epoch) {
        this.batches = batches;
        this.timer = timer;
        this.seat = seat;
        this.epoch = epoch;
    }

    @Override
    public Batch next() {
        timer.dataWanted();
        Batch next = batches.next();
        timer.dataReady(batches.stallNs());
        last = next;
        return next;
    }

    /** The batch that was taken last. */
    Batch last() {
        return Objects.requireNonNull(last, "no batch was taken yet");
    }

    @Override
    public boolean isWanted() {
        return seat.isOpen(epoch);
    }
}
