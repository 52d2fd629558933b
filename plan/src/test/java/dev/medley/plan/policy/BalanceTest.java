package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.plan.policy.Balance.Decision;
import dev.medley.plan.policy.Balance.Measured;
import dev.medley.profile.speed.StepTime;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class BalanceTest {
    private static final StepTime FAST = new StepTime(0, 1e6);
    private static final StepTime SLOW = new StepTime(0, 2e6);

    private final Balance policy = Balance.of(96);

    @Test
    void shouldGiveTheSlowerLessAndSayWhy() {
        Decision decision = policy.decide(measured(List.of(48, 48), SLOW, 0, 0, 1000));
        assertThat(decision.isChange()).isTrue();
        assertThat(decision.shares()).containsExactly(64, 32);
        assertThat(decision.why())
                .isEqualTo(
                        "shares change from [48, 48] to [64, 32]: worker-1 makes 1,000 samples/s,"
                            + " worker-2 makes 500 samples/s; a step takes 96.0 ms and will take"
                            + " 64.0 ms");
    }

    @Test
    void shouldKeepSharesThatAreGoodEnough() {
        Decision decision = policy.decide(measured(List.of(62, 34), SLOW, 0, 0, 1000));
        assertThat(decision.isChange()).as("34 take 68 ms, 32 would take 64").isTrue();
        decision = policy.decide(measured(List.of(63, 33), SLOW, 0, 0, 1000));
        assertThat(decision.isChange()).as("33 take 66 ms").isFalse();
        assertThat(decision.shares()).containsExactly(63, 33);
        assertThat(decision.why()).contains("shares stay", "66.0 ms", "64.0 ms");
    }

    @Test
    void theWaitThatStaysShouldBePartOfAStep() {
        assertThat(policy.decide(measured(List.of(48, 48), SLOW, 0, 10e6, 1000)).why())
                .endsWith("a step takes 106.0 ms and will take 74.0 ms");
        assertThat(policy.decide(measured(List.of(63, 33), SLOW, 0, 10e6, 1000)).why())
                .isEqualTo(
                        "shares stay: a step takes 76.0 ms, no shares could make less than 74.0"
                                + " ms");
    }

    /** Of 5 samples, however slow it is. */
    @Test
    void nobodyShouldLoseMoreThanHalfAtOnce() {
        Balance.Measured now =
                new Balance.Measured(
                        List.of("one", "other"),
                        List.of(5, 5),
                        List.of(new StepTime(0, 1e7), new StepTime(0, 1e9)),
                        List.of(10, 10),
                        0,
                        0,
                        1000,
                        0);
        assertThat(Balance.of(10).decide(now).shares()).containsExactly(7, 3);
    }

    @Test
    void shouldNotBelieveMoreThanWasMeasured() {
        assertThat(policy.decide(measured(List.of(48, 48), SLOW, 20e6, 0, 1000)).isChange())
                .as("96 ms to 64 ms, give or take 20")
                .isFalse();
    }

    @Test
    void shouldCountTheExchangeThatNoBalanceTakesAway() {
        assertThat(policy.decide(measured(List.of(48, 48), SLOW, 0, 1e9, 1000)).isChange())
                .as("32 ms of a step of 1.1 s")
                .isFalse();
    }

    @Test
    void shouldNotChangeShortlyBeforeTheEnd() {
        assertThat(policy.decide(measured(List.of(48, 48), SLOW, 0, 0, 3)).isChange())
                .as("three steps save less than the change costs")
                .isFalse();
    }

    /** One change would save little: 6 is doubled at most. */
    @Test
    void aWorkerThatWasSlowForAWhileShouldGetBackWhatItHad() {
        List<Integer> shares = List.of(90, 6);
        for (int i = 0; i < 5; i++) {
            shares = policy.decide(measured(shares, FAST, 0, 0, 1000)).shares();
        }
        assertThat(shares).containsExactly(48, 48);
    }

    @Test
    void shouldLeaveEqualMachinesAlone() {
        assertThat(policy.decide(measured(List.of(48, 48), FAST, 0, 0, 1000)).isChange()).isFalse();
    }

    private static Measured measured(
            List<Integer> shares, StepTime second, double errorNs, double exchangeNs, long left) {
        return new Measured(
                List.of("worker-1", "worker-2"),
                shares,
                List.of(FAST, second),
                List.of(96, 96),
                errorNs,
                exchangeNs,
                left,
                0);
    }
}
