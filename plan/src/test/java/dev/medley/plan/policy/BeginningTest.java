package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class BeginningTest {
    private static final long S = TimeUnit.SECONDS.toNanos(1);

    @Test
    void shouldBeginWhenAllAreReady() {
        assertThat(Beginning.decide(2, List.of(S, S), 0).begins()).isTrue();
    }

    @Test
    void shouldWaitForHalfOfTheExpectedHoweverLong() {
        assertThat(Beginning.decide(5, List.of(S, S), 1_000 * S).begins()).isFalse();
        assertThat(Beginning.decide(5, List.of(S, S, S), 1_000 * S).begins()).isTrue();
        assertThat(Beginning.decide(4, List.of(S, S), 1_000 * S).begins()).isTrue();
    }

    @Test
    void shouldGiveTheOthersHalfAsLongAgainAsTheSlowestTook() {
        List<Long> tookNs = List.of(4 * S, 16 * S, 2 * S);
        assertThat(Beginning.decide(5, tookNs, 8 * S - 1).begins()).isFalse();
        Beginning.Decision decision = Beginning.decide(5, tookNs, 8 * S);
        assertThat(decision.begins()).isTrue();
        assertThat(decision.why())
                .isEqualTo(
                        "training begins: 3 of 5 workers are ready, and no other was within 8.0 s;"
                                + " later ones join");
    }

    @Test
    void shouldLeaveNobodyOutForAMomentOfNoise() {
        List<Long> tookNs = List.of(S, S, S);
        assertThat(Beginning.decide(4, tookNs, Beginning.LEAST_PATIENCE_NS - 1).begins()).isFalse();
        assertThat(Beginning.decide(4, tookNs, Beginning.LEAST_PATIENCE_NS).begins()).isTrue();
    }
}
