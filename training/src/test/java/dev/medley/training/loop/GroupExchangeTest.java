package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.Samples;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.bucket.RoundTable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What of the exchange memory is there for whom. */
@Tag("unit")
class GroupExchangeTest {
    private static final StrategySpec PLAIN = StrategySpec.defaults();
    private static final RoundSpec ROUNDS = RoundSpec.defaults(Kind.DILOCO);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void factorsShouldHaveRoomWhereTheyTravel() {
        StrategySpec factored = PLAIN.with(Compress.POWERSGD);
        assertThat(layout(TargetKind.VALUE, 2, factored).factorBytes()).isPositive();
        assertThat(layout(TargetKind.VALUE, 1, factored).factorBytes()).as("alone").isZero();
        assertThat(layout(TargetKind.VALUE, 2, PLAIN).factorBytes()).isZero();
    }

    @Test
    void aStepsWeightShouldTravelWhereACodecNeedsItAndSamplesDoNotTell() {
        StrategySpec coded = PLAIN.with(Compress.INT8);
        assertThat(layout(TargetKind.TOKENS, 2, coded).weightBytes())
                .isEqualTo(ExchangeLayout.WEIGHT_BYTES);
        assertThat(layout(TargetKind.VALUE, 2, coded).weightBytes()).isZero();
        assertThat(layout(TargetKind.TOKENS, 2, PLAIN).weightBytes()).isZero();
    }

    @Test
    void roundsShouldHaveATableWhereTheyDoNotWaitForAllAndFragmentsWhereTheyStream() {
        StrategySpec rounds = PLAIN.as(Kind.DILOCO.in(ROUNDS), Compress.NONE);
        assertThat(layout(TargetKind.VALUE, 3, rounds).tableBytes()).isZero();
        assertThat(layout(TargetKind.VALUE, 3, rounds).fragments()).isZero();
        StrategySpec quorum = rounds.with(ROUNDS.waitingFor(QuorumSpec.of(0.5)));
        assertThat(layout(TargetKind.VALUE, 3, quorum).tableBytes()).isEqualTo(RoundTable.bytes(3));
        StrategySpec streamed = rounds.with(ROUNDS.streaming(new StreamSpec(4, 1)));
        assertThat(layout(TargetKind.VALUE, 3, streamed).fragments()).isEqualTo(4);
    }

    private static ExchangeLayout layout(TargetKind kind, int ranks, StrategySpec strategy) {
        try (Replica replica = Samples.replica(kind, 1, Precision.FP32)) {
            return GroupExchange.layout(replica, ranks, strategy, 0);
        }
    }
}
