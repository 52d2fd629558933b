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
        Bursts.Train train = new Bursts.Train(40 * MS);
        train.arrived(14_000, 1_000 * MS);
        for (int i = 1; i <= 10; i++) {
            train.arrived(12_500, (1_000 + i) * MS);
        }
        assertThat((double) train.rate()).isCloseTo(12_500_000, within(1.0));
        assertThat(train.tookNs()).isEqualTo(10 * MS);
    }

    /** 40 ms round trip, a window of 64 KB that doubles: silences of 35 and 30 ms. */
    @Test
    void shouldTakeTheSilencesOfAGrowingWindowOut() {
        Bursts.Train train = new Bursts.Train(40 * MS);
        long now = 0;
        for (int flight : new int[] {5, 10, 20}) {
            for (int i = 0; i < flight; i++) {
                now += MS;
                train.arrived(12_500, now);
            }
            now += (40 - flight) * MS;
        }
        assertThat((double) train.rate()).isCloseTo(12_500_000, within(1.0));
    }

    /** 0.3 Mbit/s: a segment each 40 ms is no silence of a window, at least not more than three. */
    @Test
    void shouldMeasureAWayThatIsSlowEverySegment() {
        Bursts.Train train = new Bursts.Train(2 * MS);
        for (int i = 0; i < 12; i++) {
            train.arrived(1_400, i * 40 * MS);
        }
        assertThat((double) train.rate()).isCloseTo(35_000, within(1.0));
    }

    @Test
    void shouldSayNothingWhereAllCameAtOnce() {
        Bursts.Train train = new Bursts.Train(MS);
        train.arrived(16_384, 5);
        assertThat(train.rate()).isZero();
    }
}
