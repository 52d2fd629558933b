package dev.medley.base.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.text.Words;
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
    void shouldRefuseFragmentsThatCannotTravel() {
        RoundSpec diloco = RoundSpec.defaults(Kind.DILOCO);
        RoundSpec streamed = diloco.streaming(new StreamSpec(4, 16));
        assertRefused(() -> new StreamSpec(0, 0), "strategy.fragments=0: at least 1");
        assertRefused(() -> new StreamSpec(1, -1), "strategy.overlap=-1: 0 batches or more");
        assertRefused(
                () -> diloco.streaming(new StreamSpec(4, 17)),
                "strategy.fragments=4, strategy.overlap=17, strategy.sync_every=64");
        assertRefused(() -> streamed.every(63), "strategy.sync_every=63");
        for (Kind kind : Kind.values()) {
            if (kind != Kind.DILOCO) {
                assertRefused(
                        () -> kind.of(streamed, kind.usual().async()),
                        " has no meaning for strategy=" + Words.of(kind));
            }
        }
    }

    @Test
    void shouldRefuseLettersOfStrategiesThatHaveNone() {
        StrategySpec servers = StrategySpec.defaults(Kind.PARAMETER_SERVER);
        StrategySpec gossip = StrategySpec.defaults(Kind.GOSSIP);
        assertRefused(() -> AsyncSpec.stale(-1), "strategy.staleness=-1");
        assertRefused(() -> new AsyncSpec(AsyncSpec.Sync.ASYNC, 2, 1), "strategy.sync=async");
        assertRefused(() -> AsyncSpec.mixing(0), "strategy.mix_every=0");
        assertRefused(() -> gossip.with(AsyncSpec.stale(2)), "strategy.sync=stale");
        assertRefused(() -> servers.with(AsyncSpec.mixing(2)), "strategy.mix_every=2");
        assertRefused(() -> servers.with(RoundSpec.defaults(Kind.DILOCO)), "strategy.outer_lr");
        assertThat(servers.async()).isEqualTo(AsyncSpec.stale(4));
        assertThat(Json.bind(Json.tree(servers), StrategySpec.class)).isEqualTo(servers);
    }

    private static void assertRefused(Runnable making, String message) {
        assertThatThrownBy(making::run)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }
}
