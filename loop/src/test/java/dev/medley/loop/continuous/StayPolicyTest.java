package dev.medley.loop.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.loop.spec.ContinuousSpec;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a loop that stays does next, and what is said of delays. */
@Tag("unit")
class StayPolicyTest {
    private static final ContinuousSpec SPEC =
            new ContinuousSpec(Duration.ofMinutes(1), Duration.ofMinutes(10), 500L);

    private static StayPolicy.Turn at(long nowMs, long rowsSince, long judged, boolean isTried) {
        return StayPolicy.decide(
                SPEC,
                new StayPolicy.Facts(nowMs, 3_600_000, 30_000, 0, rowsSince, judged, isTried));
    }

    @Test
    void shouldLookTwiceWithinTheDelayAndWaitBetween() {
        assertThat(SPEC.lookEveryMs()).isEqualTo(30_000);
        assertThat(at(29_000, 0, 0, false))
                .isEqualTo(
                        new StayPolicy.Turn(
                                StayPolicy.Deed.WAIT, 1000, "nothing is due for 1000 ms"));
        assertThat(at(30_000, 0, 0, false).deed()).isEqualTo(StayPolicy.Deed.LOOK);
        assertThat(at(3_600_000, 900, 900, false).deed()).isEqualTo(StayPolicy.Deed.RUN);
    }

    @Test
    void shouldPublishByTimeOrByRowsAndNeverWhatNothingJudges() {
        assertThat(at(600_000, 40, 40, false).deed()).isEqualTo(StayPolicy.Deed.PUBLISH);
        assertThat(at(600_000, 40, 40, false).why()).contains("publish is over", "40 rows");
        assertThat(at(20_000, 500, 500, false).why())
                .isEqualTo("500 rows were learnt since the last version");
        assertThat(at(20_000, 499, 499, false).deed()).isEqualTo(StayPolicy.Deed.WAIT);
        assertThat(at(600_000, 40, StayPolicy.LEAST_ROWS - 1, false).deed())
                .isEqualTo(StayPolicy.Deed.LOOK);
        assertThat(at(600_000, 0, 90, false).deed()).isEqualTo(StayPolicy.Deed.LOOK);
        assertThat(at(600_000, 40, 40, true).deed()).isEqualTo(StayPolicy.Deed.LOOK);
    }

    @Test
    void aDelayThatIsNotKeptShouldBeSaid() {
        DelayLog log = DelayLog.NONE.plus(new long[] {1000, 2000, 3000, 4000});
        assertThat(log.rows()).isEqualTo(4);
        assertThat(log.words(60_000)).contains("2 s (median)", "4 s (all)", "is kept");
        DelayLog late = log.plus(new long[] {61_234});
        assertThat(late.longerThan(60_000)).isOne();
        assertThat(late.quantileMs(1)).isEqualTo(62_000);
        assertThat(late.words(60_000))
                .contains("1 of 5 rows took longer than continuous.delay, 60 s");
        assertThat(DelayLog.NONE.words(1)).isEqualTo("no row has come yet");
    }
}
