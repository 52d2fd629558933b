package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.StrategySpec.Balance;
import dev.medley.base.job.StrategySpec.Kind;
import dev.medley.base.job.StrategySpec.Transport;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RoundSpecTest {
    @Test
    void shouldRefuseWhatIsNoRound() {
        assertRefused(() -> new RoundSpec(0, 0, 1, 0), "strategy.sync_every=0: at least 1 step");
        assertRefused(
                () -> RoundSpec.EVERY_STEP.inBatchesOf(0), "strategy.inner_batch=0: at least 1");
        assertRefused(() -> new RoundSpec(1, 0, 0, 0), "strategy.outer_lr=0.0: above 0");
        assertRefused(() -> new RoundSpec(1, 0, 1, 1), "strategy.outer_momentum=1.0: from 0");
    }

    @Test
    void shouldRefuseRoundsOfStrategiesThatHaveNone() {
        RoundSpec diloco = RoundSpec.defaults(Kind.DILOCO);
        assertRefused(() -> StrategySpec.defaults().with(diloco), "strategy.sync_every=64");
        assertRefused(
                () -> StrategySpec.defaults(Kind.LOCAL_SGD).with(diloco), "strategy.outer_lr=0.7");
    }

    @Test
    void recordsOfOlderVersionsShouldExchangeInEveryStep() {
        StrategySpec spec = StrategySpec.defaults();
        assertThat(
                        new StrategySpec(
                                spec.kind(),
                                Transport.TCP,
                                4096,
                                List.of(),
                                Balance.NONE,
                                null,
                                null,
                                null))
                .extracting(StrategySpec::round, StrategySpec::compress, StrategySpec::codec)
                .containsExactly(
                        RoundSpec.EVERY_STEP, StrategySpec.Compress.NONE, CodecSpec.DEFAULT);
        assertThat(Json.bind(Json.tree(spec), StrategySpec.class)).isEqualTo(spec);
    }

    private static void assertRefused(Runnable making, String message) {
        assertThatThrownBy(making::run)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }
}
