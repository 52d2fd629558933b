package dev.medley.serving.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches are as large as half of the goal allows by what batches took. */
@Tag("unit")
class BatchSizingTest {
    private static ServiceTime measured(double fixedNs, double perRowNs) {
        ServiceTime time = ServiceTime.UNKNOWN;
        for (int rows = 1; rows <= 40; rows++) {
            time = time.with(rows, (long) (fixedNs + perRowNs * rows));
        }
        return time;
    }

    @Test
    void shouldFindWhatARowAdds() {
        ServiceTime time = measured(2_000_000, 50_000);
        assertThat(time.fixedNs()).isEqualTo(2_000_000, within(1000.0));
        assertThat(time.perRowNs()).isEqualTo(50_000, within(100.0));
    }

    @Test
    void shouldTakeWhatHalfOfTheGoalHolds() {
        BatchLimits limits = new BatchLimits(20_000_000, 1000, 10_000);
        BatchSizing.Decision decision = BatchSizing.most(measured(2_000_000, 50_000), limits);
        assertThat(decision.rows()).isBetween(158, 161);
        assertThat(decision.why()).contains("within half of 20 ms");
    }

    @Test
    void shouldTakeAllWhereTheGoalCannotBeKept() {
        BatchLimits limits = new BatchLimits(2_000_000, 64, 10_000);
        BatchSizing.Decision decision = BatchSizing.most(measured(5_000_000, 10_000), limits);
        assertThat(decision.rows()).isEqualTo(64);
        assertThat(decision.why()).contains("2 ms cannot be kept");
    }

    @Test
    void shouldBeginWithFewRows() {
        assertThat(BatchSizing.most(ServiceTime.UNKNOWN, BatchLimits.USUAL).rows()).isEqualTo(8);
    }

    @Test
    void shouldSayWhenToComeBack() {
        BatchLimits limits = new BatchLimits(20_000_000, 10, 100_000);
        // 10,000 batches of 2.48 ms.
        assertThat(BatchSizing.retryAfterS(measured(1_980_000, 50_000), limits, 100_000))
                .isEqualTo(25);
    }
}
