package dev.medley.base.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.base.strategy.RoundSpec.Outer;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import dev.medley.base.text.Words;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What holds for every algorithm, also for those to come. */
@Tag("unit")
class StrategySpecTest {
    @ParameterizedTest
    @EnumSource(Kind.class)
    void anAlgorithmShouldBeMadeOfItsOwnSettings(Kind kind) {
        Algorithm usual = kind.usual();
        assertThat(usual.kind()).isEqualTo(kind);
        assertThat(kind.of(usual.round(), usual.async())).isEqualTo(usual);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldBeWrittenAndReadAgain(Kind kind) {
        StrategySpec spec =
                StrategySpec.defaults(kind)
                        .with(List.of(1.0, 2.0), Balance.NONE)
                        .with(new Stragglers(Stragglers.Policy.LEAVE, 2));
        assertReadAgain(spec);
    }

    @Test
    void settingsOfAlgorithmsShouldBeWrittenAndReadAgain() {
        RoundSpec round = RoundSpec.defaults(Kind.DILOCO);
        StrategySpec diloco = StrategySpec.defaults(Kind.DILOCO);
        assertReadAgain(diloco.with(round.streaming(new StreamSpec(4, 8)).outer(Outer.ADAM, 1, 0)));
        assertReadAgain(diloco.with(round.waitingFor(QuorumSpec.of(0.5).gating(1, 2))));
        CodecSpec codec = CodecSpec.DEFAULT.keeping(0.1).warmingUp(7).decaying(0.5).after(3);
        assertReadAgain(
                StrategySpec.defaults().with(Compress.TOPK, codec.ofRank(2).correctingMomentum()));
        BorderCodec border = new BorderCodec("a", "b", Compress.INT4);
        assertReadAgain(diloco.with(Compress.INT8, codec.at(List.of(border))));
        assertReadAgain(
                StrategySpec.defaults(Kind.PARAMETER_SERVER)
                        .with(AsyncSpec.of(Sync.ASYNC).with(Servers.PER_SITE)));
    }

    private static void assertReadAgain(StrategySpec spec) {
        assertThat(Json.bind(Json.tree(spec), StrategySpec.class)).isEqualTo(spec);
        assertThat(Json.bindWhole(Json.tree(spec), StrategySpec.class)).isEqualTo(spec);
    }

    @ParameterizedTest
    @EnumSource(StrategyKey.class)
    void aKeyShouldBeTakenByItsAlgorithmsAlone(StrategyKey key) {
        RoundSpec plain = new RoundSpec(8, 0, 1, 0);
        RoundSpec round =
                switch (key) {
                    case SYNC_EVERY -> plain.every(9);
                    case INNER_BATCH -> plain.every(1).inBatchesOf(4);
                    case OUTER -> plain.every(1).outer(Outer.ADAM, 1, 0);
                    case OUTER_LR -> plain.every(1).outer(0.5, 0);
                    case OUTER_MOMENTUM -> plain.every(1).outer(1, 0.5);
                    case FRAGMENTS -> plain.every(1).streaming(new StreamSpec(2, 0));
                    case OVERLAP -> plain.every(1).streaming(new StreamSpec(1, 1));
                    case QUORUM -> plain.every(1).waitingFor(QuorumSpec.of(2));
                    default -> RoundSpec.EVERY_STEP;
                };
        AsyncSpec async =
                switch (key) {
                    case SYNC -> AsyncSpec.of(Sync.ASYNC);
                    case STALENESS -> AsyncSpec.stale(2);
                    case SERVERS -> AsyncSpec.NONE.with(Servers.PER_SITE);
                    case MIX_EVERY -> AsyncSpec.mixing(3);
                    default -> AsyncSpec.NONE;
                };
        boolean isSet = !round.equals(RoundSpec.EVERY_STEP) || !async.equals(AsyncSpec.NONE);
        assertThat(isSet).isEqualTo(!DEPENDENT.contains(key));
        for (Kind kind : Kind.values()) {
            if (key.takers().contains(kind) || !isSet) {
                assertThat(kind.of(round, async).kind()).isEqualTo(kind);
            } else {
                assertThatThrownBy(() -> kind.of(round, async))
                        .isInstanceOf(ConfigException.class)
                        .hasMessageContaining(" has no meaning for strategy=" + Words.of(kind));
            }
        }
    }

    /** They say nothing without a quorum. */
    private static final List<StrategyKey> DEPENDENT =
            List.of(StrategyKey.GRACE, StrategyKey.LATE_DECAY, StrategyKey.LATE_ROUNDS);

    @Test
    void shouldRefuseWhatNoAlgorithmCanDo() {
        assertRefused(() -> new LocalSgdSpec(0, 0, QuorumSpec.NONE), "strategy.sync_every=0");
        assertRefused(() -> new GossipSpec(8, 0, 0), "strategy.mix_every=0");
        assertRefused(
                () -> new ServerSpec(8, 0, Sync.ASYNC, 5, Servers.ALL), "strategy.staleness=5");
        assertRefused(() -> new HybridSpec(8, 0, Outer.NESTEROV, 0, 0), "strategy.outer_lr=0.0");
        assertRefused(() -> CodecSpec.DEFAULT.decaying(1.5), "strategy.residual_decay=1.5");
        CodecSpec correcting = CodecSpec.DEFAULT.correctingMomentum();
        for (Kind kind : Kind.values()) {
            assertRefused(
                    () -> StrategySpec.defaults(kind).with(Compress.NONE, correcting),
                    "strategy.momentum_correction=true");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stragglers", "round/outer", "async/servers", "codec/borders"})
    void whatIsLackingShouldBeSaidOfARecordOfAnotherBuild(String path) {
        ObjectNode tree = Json.tree(StrategySpec.defaults(Kind.DILOCO)).asObject();
        String[] names = path.split("/");
        ObjectNode of = names.length == 1 ? tree : tree.path(names[0]).asObject();
        of.remove(names[names.length - 1]);
        assertThatThrownBy(() -> Json.bind(tree, StrategySpec.class))
                .hasMessageContaining("lacks a part: another build of Medley wrote it");
    }

    private static void assertRefused(Runnable making, String message) {
        assertThatThrownBy(making::run)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }
}
