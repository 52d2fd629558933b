package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FirstGroupPolicyTest {
    private static final long S = TimeUnit.SECONDS.toNanos(1);

    @Test
    void shouldBeginWhenAllAreReady() {
        assertThat(FirstGroupPolicy.decide(2, List.of(S, S), 0).begins()).isTrue();
    }

    @Test
    void shouldWaitForHalfOfTheExpectedHoweverLong() {
        assertThat(FirstGroupPolicy.decide(5, List.of(S, S), 1_000 * S).begins()).isFalse();
        assertThat(FirstGroupPolicy.decide(5, List.of(S, S, S), 1_000 * S).begins()).isTrue();
        assertThat(FirstGroupPolicy.decide(4, List.of(S, S), 1_000 * S).begins()).isTrue();
    }

    @Test
    void shouldGiveTheOthersHalfAsLongAgainAsTheSlowestTook() {
        List<Long> tookNs = List.of(4 * S, 16 * S, 2 * S);
        assertThat(FirstGroupPolicy.decide(5, tookNs, 8 * S - 1).begins()).isFalse();
        FirstGroupPolicy.Decision decision = FirstGroupPolicy.decide(5, tookNs, 8 * S);
        assertThat(decision.begins()).isTrue();
        assertThat(decision.why())
                .isEqualTo(
                        "training begins: 3 of 5 workers are ready, and no other was within 8.0 s;"
                                + " later ones join");
    }

    @Test
    void shouldLeaveNobodyOutForAMomentOfNoise() {
        List<Long> tookNs = List.of(S, S, S);
        assertThat(
                        FirstGroupPolicy.decide(4, tookNs, FirstGroupPolicy.LEAST_PATIENCE_NS - 1)
                                .begins())
                .isFalse();
        assertThat(FirstGroupPolicy.decide(4, tookNs, FirstGroupPolicy.LEAST_PATIENCE_NS).begins())
                .isTrue();
    }
}
