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
            new Arrivals(new Patience(1000 * SECOND_NS, 10 * SECOND_NS, 600 * SECOND_NS, 1));

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

    @Test
    void whoLoadsShouldHaveMoreTimeAsLongAsItGetsOn() {
        arrivals.begin(1, STARTING, 0);
        arrivals.greeted(1, 0);
        assertThat(arrivals.isAwaited(1)).isFalse();
        assertThat(arrivals.overdue(600 * SECOND_NS)).isNull();
        arrivals.moved(1, 600 * SECOND_NS);
        assertThat(arrivals.overdue(1200 * SECOND_NS)).isNull();
        assertThat(arrivals.overdue(1201 * SECOND_NS).why())
                .isEqualTo(
                        "it showed no progress in loading data and model for 600 s: see its log");
        assertThat(arrivals.overdue(9999 * SECOND_NS)).isNull();
    }

    @Test
    void itShouldBeSaidEverMoreRarelyWhoIsWaitedFor() {
        arrivals.begin(1, FETCHING, 0);
        assertThat(arrivals.slow(119 * SECOND_NS)).isEmpty();
        assertThat(arrivals.slow(120 * SECOND_NS))
                .extracting(slow -> slow.sentence("worker-1 on n1"))
                .containsExactly(
                        "still waiting for worker-1 on n1, whose machine has been fetching its"
                                + " files for 2 min");
        assertThat(arrivals.slow(239 * SECOND_NS)).isEmpty();
        assertThat(arrivals.slow(240 * SECOND_NS)).hasSize(1);
        arrivals.greeted(1, 241 * SECOND_NS);
        assertThat(arrivals.slow(360 * SECOND_NS)).isEmpty();
        assertThat(arrivals.slow(361 * SECOND_NS))
                .extracting(slow -> slow.sentence("worker-1"))
                .containsExactly(
                        "still waiting for worker-1, which has been loading data and model for"
                                + " 2 min");
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
