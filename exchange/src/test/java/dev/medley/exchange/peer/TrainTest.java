package dev.medley.exchange.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the arrival of a train says about the way, by arithmetic. */
@Tag("unit")
class TrainTest {
    private static final long MS = 1_000_000;

    @Test
    void shouldNotCountTheFirstReadNorTheLatency() {
        Train train = new Train(40 * MS, 0);
        train.arrived(14_000, 1_000 * MS, true);
        for (int i = 1; i <= 10; i++) {
            train.arrived(12_500, (1_000 + i) * MS, true);
        }
        assertThat((double) train.rate()).isCloseTo(12_500_000, within(1.0));
        assertThat(train.countedNs()).isEqualTo(10 * MS);
    }

    /** 40 ms round trip, a window of 64 KB that doubles: silences of 35 and 30 ms. */
    @Test
    void shouldTakeTheSilencesOfAGrowingWindowOut() {
        Train train = new Train(40 * MS, 0);
        long now = 0;
        for (int flight : new int[] {5, 10, 20}) {
            for (int i = 0; i < flight; i++) {
                now += MS;
                train.arrived(12_500, now, true);
            }
            now += (40 - flight) * MS;
        }
        assertThat((double) train.rate()).isCloseTo(12_500_000, within(1.0));
    }

    /** 0.3 Mbit/s: a segment each 40 ms is no silence of a window, at least not more than three. */
    @Test
    void shouldMeasureAWayThatIsSlowEverySegment() {
        Train train = new Train(2 * MS, 0);
        for (int i = 0; i < 12; i++) {
            train.arrived(1_400, i * 40 * MS, true);
        }
        assertThat((double) train.rate()).isCloseTo(35_000, within(1.0));
    }

    @Test
    void shouldSayNothingWhereAllCameAtOnce() {
        Train train = new Train(MS, 0);
        train.arrived(16_384, 5, true);
        assertThat(train.rate()).isZero();
    }

    /** 125 MB/s: a receiver that stands still for 80 ms finds 900 KB there. */
    @Test
    void whatAReceiverFindsThatStoodStillShouldNotCount() {
        Train train = new Train(MS, 0);
        train.arrived(12_500, MS, true);
        train.arrived(12_500, MS + 100_000, true);
        for (int i = 0; i < 72; i++) {
            train.arrived(12_500, 81 * MS + 5_000 * i, false);
        }
        assertThat(train.isSure()).isFalse();
        assertThat((double) train.rate()).isCloseTo(925_000 / 0.080355, within(1.0));
        long now = 82 * MS;
        for (int i = 1; i <= 72; i++) {
            train.arrived(12_500, now + 100_000 * i, true);
        }
        assertThat(train.isSure()).isTrue();
        assertThat((double) train.rate()).isBetween(110e6, 126e6);
    }
}
