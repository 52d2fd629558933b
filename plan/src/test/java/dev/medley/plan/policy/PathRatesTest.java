package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.plan.source.Ways;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class PathRatesTest {
    private static final Ways ALIKE = Ways.alike(3);
    private static final double RATE = 1e8;

    private final PathRates rates = new PathRates(2);

    @Test
    void toBeSlowShouldNotBecomeUsual() {
        rates.learn(ALIKE.report(1));
        rates.learn(ALIKE.without(0, 1, 2.5).report(2));
        assertThat(usual()).as("more than twice as slow").isEqualTo(RATE);
        rates.learn(ALIKE.without(0, 1, 1.6).report(3));
        assertThat(usual()).isEqualTo(RATE / 1.6);
        rates.learn(ALIKE.without(0, 1, 0.25).report(4));
        assertThat(usual()).as("a way that became wider").isEqualTo(4 * RATE);
    }

    @Test
    void aWayThatNobodyMeasuredShouldBeUnknown() {
        rates.learn(ALIKE.report(1));
        assertThat(rates.usual(List.of(1), List.of(1))).isZero();
        assertThat(rates.usual(List.of(1), List.of(9))).isZero();
        assertThat(rates.usual(List.of(9, 1), List.of(2))).as("by any of them").isEqualTo(RATE);
    }

    /** Two ways are left between the others; the lower of what they lost counts. */
    @Test
    void aLinkShouldBeJudgedByTheLessThatOthersLost() {
        rates.learn(ALIKE.report(1));
        SlowLink found =
                SlowLink.judge(
                        rates,
                        ALIKE.slow(0, 3.5).without(1, 2, 4).report(2),
                        3,
                        SlowLink.Late.NONE);
        assertThat(found.workers()).extracting(worker -> worker.value()).containsExactly(1);
    }

    /** 10 ms of what it sent, which is a tenth of 100. */
    @Test
    void aWayShouldBeTheReasonOfALateExchangeFromATenthOn() {
        assertThat(new SlowLink.Late(1e6, 0.99e8).mayComeFrom(1e8, 5e7)).isTrue();
        assertThat(new SlowLink.Late(1e6, 1.01e8).mayComeFrom(1e8, 5e7)).isFalse();
    }

    private double usual() {
        return rates.usual(List.of(1), List.of(2));
    }
}
