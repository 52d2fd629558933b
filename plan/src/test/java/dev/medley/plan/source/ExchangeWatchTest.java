package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.plan.policy.SlowLink;
import dev.medley.plan.source.PlanSource.Measured;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Times in ms, of three workers that compute as long as is said. */
@Tag("unit")
class ExchangeWatchTest {
    private static final double BOUND = 3;

    private final ExchangeWatch watch = new ExchangeWatch(BOUND);

    @Test
    void shouldBeSlowWhenLateThreeTimes() {
        steps(5, 10, 10);
        steps(2, 100, 10);
        assertThat(watch.isSlow()).isFalse();
        steps(1, 100, 10);
        assertThat(watch.isSlow()).isTrue();
        assertThat(watch.why())
                .isEqualTo("all waited 100.0 ms for bytes in the last step, 10.0 ms are usual");
    }

    /** It knows what is usual after five steps; those that come before are usual, however long. */
    @Test
    void fewStepsShouldSayNothing() {
        steps(4, 10, 10);
        steps(1, 500, 10);
        steps(2, 500, 10);
        assertThat(watch.isSlow()).isFalse();
        steps(1, 500, 10);
        assertThat(watch.isSlow()).isTrue();
    }

    /** Above the bound times the usual, and longer than that by 20 ms. */
    @Test
    void whatIsShortShouldBeNoise() {
        steps(5, 1, 1);
        steps(5, 21, 1);
        assertThat(watch.isSlow()).as("20 ms more").isFalse();
        steps(3, 22, 1);
        assertThat(watch.isSlow()).isTrue();
    }

    @Test
    void threeTimesTheUsualShouldNotBeLate() {
        steps(5, 100, 1);
        steps(5, 300, 1);
        assertThat(watch.isSlow()).isFalse();
        watch.forgetUsual();
        steps(5, 100, 1);
        steps(3, 301, 1);
        assertThat(watch.isSlow()).isTrue();
    }

    /** Two others would take 150 ms each for the samples of one, which takes 300. */
    @Test
    void whatCostsLessThanAWorkersSamplesShouldBeBorne() {
        steps(5, 10, 300);
        steps(5, 160, 300);
        assertThat(watch.isSlow()).isFalse();
        steps(3, 161, 300);
        assertThat(watch.isSlow()).isTrue();
    }

    @Test
    void whatWasLateShouldNotBecomeUsual() {
        steps(5, 10, 10);
        steps(20, 100, 10);
        assertThat(watch.late().ns()).isCloseTo(90e6, within(1.0));
        watch.forgetLate();
        assertThat(watch.isSlow()).isFalse();
        steps(3, 100, 10);
        assertThat(watch.isSlow()).isTrue();
    }

    /** Of the last 21 that were in time. */
    @Test
    void theMiddleOfTheLastStepsShouldBeUsual() {
        steps(11, 10, 1);
        steps(10, 12, 1);
        assertThat(watch.late().ns()).as("11 of 21 took 10").isCloseTo(2e6, within(1.0));
        steps(1, 12, 1);
        assertThat(watch.late().ns()).as("the first is forgotten").isCloseTo(0.0, within(1.0));
    }

    @Test
    void otherWaysShouldHaveTimesOfTheirOwn() {
        steps(5, 10, 1);
        steps(3, 100, 1);
        watch.forgetUsual();
        assertThat(watch.isSlow()).isFalse();
        steps(8, 100, 1);
        assertThat(watch.isSlow()).isFalse();
    }

    /** What even the last waited for, and what whoever sent most has sent. */
    @Test
    void aStepShouldBeWhatTheLastWaitedForAndTheMostThatWasSent() {
        watch.stepped(List.of(new Measured(8, 1, 0, 7, 500), new Measured(8, 1, 0, 9, 900)));
        assertThat(watch.late()).isEqualTo(new SlowLink.Late(900, 0));
        assertThat(watch.why()).contains("0.0 ms are usual");
    }

    private void steps(int count, double waitingMs, double computeMs) {
        Measured last = new Measured(8, (long) (computeMs * 1e6), 0, (long) (waitingMs * 1e6), 1);
        Measured first = new Measured(8, 0, 0, 2 * (long) (waitingMs * 1e6), 1);
        for (int i = 0; i < count; i++) {
            watch.stepped(List.of(first, last, first));
        }
    }
}
