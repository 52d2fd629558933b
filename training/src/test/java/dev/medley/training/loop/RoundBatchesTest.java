package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.order.SampleRange;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.training.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which batches a rank takes where rounds end early and leave something to others. */
@Tag("unit")
class RoundBatchesTest {
    private final List<String> taken = new ArrayList<>();
    private int opened;
    private int closed;

    private BatchStream open(LongFunction<SampleRange> ranges, long first, boolean isOwn) {
        opened++;
        return new BatchStream() {
            private long number = first;

            @Override
            public Batch next() {
                SampleRange range = ranges.apply(number++);
                taken.add(range.from() + "-" + range.to());
                return Samples.of(TargetKind.VALUE, 1, 1);
            }

            @Override
            public long stallNs() {
                return 1;
            }

            @Override
            public void close() {
                closed++;
            }
        };
    }

    private static SampleRange ten(long number) {
        return new SampleRange(0, 10 * number, 10 * number + 10);
    }

    private static void take(RoundBatches batches, int count) {
        for (int i = 0; i < count; i++) {
            batches.next();
        }
    }

    @Test
    void wholeRoundsShouldBeOneRow() {
        try (RoundBatches batches = new RoundBatches(this::open, RoundBatchesTest::ten, 3)) {
            batches.begin(3, 2, List.of());
            take(batches, 2);
            batches.begin(5, 2, List.of());
            take(batches, 2);
            assertThat(batches.stallNs()).isEqualTo(4);
        }
        assertThat(taken).containsExactly("30-40", "40-50", "50-60", "60-70");
        assertThat(opened).isEqualTo(1);
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void aRoundThatEndedEarlyShouldLeaveTheRestAndOthersShouldTakeIt() {
        try (RoundBatches batches = new RoundBatches(this::open, RoundBatchesTest::ten, 1)) {
            batches.begin(1, 3, List.of());
            take(batches, 1);
            batches.begin(4, 2, List.of(ten(70), ten(80)));
            take(batches, 4);
            batches.begin(6, 1, List.of(ten(90)));
            batches.begin(7, 1, List.of());
            take(batches, 1);
        }
        assertThat(taken).containsExactly("10-20", "40-50", "50-60", "700-710", "800-810", "70-80");
        assertThat(closed).as("all that was opened").isEqualTo(opened);
    }

    /** The last batch may be looked at again unless what it lies in was closed. */
    @Test
    void aBatchShouldStayValidAsLongAsItsRowGoesOn() {
        try (RoundBatches batches = new RoundBatches(this::open, RoundBatchesTest::ten, 1)) {
            assertThat(batches.begin(1, 2, List.of())).isTrue();
            take(batches, 2);
            assertThat(batches.begin(3, 2, List.of())).as("the row goes on").isTrue();
            take(batches, 3);
            assertThat(batches.begin(5, 2, List.of(ten(70)))).as("one is ahead").isTrue();
            take(batches, 2);
            assertThat(batches.begin(7, 2, List.of())).as("others' are closed").isFalse();
            assertThat(batches.begin(9, 2, List.of())).as("the row begins anew").isFalse();
        }
        assertThat(closed).isEqualTo(opened);
    }

    @Test
    void aFeedShouldCountWhatWasTakenInAStep() {
        Seat seat = new Seat(Progress.NONE);
        try (RoundBatches batches = new RoundBatches(this::open, RoundBatchesTest::ten, 1)) {
            TimedFeed feed = new TimedFeed(batches, new StepTimer(Clock.system()), seat, 1);
            assertThat(feed.isWanted()).as("no group has begun").isFalse();
            assertThat(seat.enter(1)).isTrue();
            assertThat(feed.isWanted()).isTrue();
            feed.begin(1, 3, List.of());
            assertThat(feed.last()).isNull();
            feed.next();
            Batch second = feed.next();
            assertThat(feed.last()).isSameAs(second);
            assertThat(feed.samples()).isEqualTo(2);
            feed.begin(3, 3, List.of());
            assertThat(feed.samples()).isZero();
            assertThat(feed.last()).as("the row goes on").isSameAs(second);
            feed.begin(9, 3, List.of());
            assertThat(feed.last()).as("it began anew").isNull();
        }
    }

    @Test
    void whatWasTakenAheadShouldNotBeTakenAgain() {
        try (RoundBatches batches = new RoundBatches(this::open, RoundBatchesTest::ten, 1)) {
            batches.begin(1, 2, List.of());
            take(batches, 3);
            batches.begin(3, 2, List.of());
            take(batches, 3);
            batches.begin(5, 2, List.of());
            take(batches, 1);
        }
        assertThat(taken)
                .containsExactly("10-20", "20-30", "30-40", "40-50", "50-60", "60-70", "70-80");
        assertThat(opened).isEqualTo(1);
    }
}
