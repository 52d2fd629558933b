package dev.medley.control.coordinator;

import static dev.medley.control.coordinator.Arrivals.Stage.FETCHING;
import static dev.medley.control.coordinator.Arrivals.Stage.STARTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.control.coordinator.CoordinatorOptions.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each stage of a worker's way into the run has a time of its own. */
@Tag("unit")
class ArrivalsTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final Arrivals arrivals =
            new Arrivals(new Patience(1000 * SECOND_NS, 10 * SECOND_NS, 1));

    @Test
    void whatAMachineFetchesShouldNotCountAsTheStartOfAProcess() {
        arrivals.begin(1, FETCHING, 0);
        assertThat(arrivals.overdue(999 * SECOND_NS)).isNull();
        arrivals.started(1, 999 * SECOND_NS);
        assertThat(arrivals.overdue(1009 * SECOND_NS)).isNull();
        assertThat(arrivals.overdue(1010 * SECOND_NS).why())
                .isEqualTo("worker-1 did not join within 10000 ms of its start: see its log");
        assertThat(arrivals.isAwaited(1)).isFalse();
    }

    @Test
    void aMachineThatNeverHasItsFilesShouldNotBeWaitedForForever() {
        arrivals.begin(1, STARTING, 999 * SECOND_NS);
        arrivals.begin(2, FETCHING, 0);
        Arrivals.Overdue overdue = arrivals.overdue(1001 * SECOND_NS);
        assertThat(overdue.launch()).isEqualTo(2);
        assertThat(overdue.why()).contains("did not start within 1000 s");
        assertThat(arrivals.overdue(1001 * SECOND_NS)).isNull();
        assertThat(arrivals.awaited()).isEqualTo(1);
    }

    /** The word of the machine and that of the worker come on two connections. */
    @Test
    void whoHasSaidHelloShouldNotBeWaitedForAgain() {
        arrivals.begin(1, FETCHING, 0);
        assertThat(arrivals.remove(1)).isTrue();
        arrivals.started(1, 1);
        assertThat(arrivals.isAwaited(1)).isFalse();
        assertThat(arrivals.remove(1)).isFalse();
    }
}
