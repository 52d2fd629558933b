package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.Samples;
import dev.medley.training.rounds.LocalSteps;
import dev.medley.training.rounds.StreamedSteps;
import dev.medley.training.strategy.EveryStep;
import dev.medley.training.strategy.GradientRule;
import dev.medley.training.strategy.Strategy;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one strategy leaves to another that takes its place in a run. */
@Tag("unit")
class StrategiesTest {
    private static final RoundSpec DILOCO = RoundSpec.defaults(StrategySpec.Kind.DILOCO);

    private Replica replica;

    @BeforeEach
    void build() {
        Torch.start(1);
        replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
    }

    @AfterEach
    void free() {
        replica.close();
    }

    @Test
    void roundsShouldGoOnWithTheMomentsOfDataParallel() {
        try (Strategy plain = new EveryStep(new GradientRule(replica, adam(), 0));
                Strategy rounds = new LocalSteps(replica, adam(), DILOCO, 0)) {
            fill(plain.state());
            String anew = hash(rounds.state());
            Strategies.carry(plain, rounds);
            assertThat(hash(rounds.moments())).isEqualTo(hash(plain.state()));
            assertThat(hash(rounds.state())).as("the common step's momentum").isEqualTo(anew);
        }
    }

    @Test
    void otherRoundsShouldGoOnWithTheCommonMomentum() {
        RoundSpec streamed = DILOCO.every(32).streaming(new StreamSpec(1, 8));
        try (Strategy rounds = new LocalSteps(replica, adam(), DILOCO, 0);
                Strategy other = new StreamedSteps(replica, adam(), streamed, 0)) {
            fill(rounds.state());
            fill(rounds.moments());
            Strategies.carry(rounds, other);
            assertThat(hash(other.state())).isEqualTo(hash(rounds.state()));
            assertThat(hash(other.moments())).isEqualTo(hash(rounds.moments()));
        }
    }

    /** They are not the same on all workers, who have to hold equal ones from now on. */
    @Test
    void momentsOfSingleWorkersShouldBeginAnewWhereMembersShareThem() {
        try (Strategy rounds = new LocalSteps(replica, adam(), DILOCO, 0);
                Strategy plain = new EveryStep(new GradientRule(replica, adam(), 0));
                Strategy ofSites = LocalSteps.ofSites(replica, adam(), DILOCO, 0)) {
            String anew = hash(plain.state());
            fill(rounds.moments());
            fill(rounds.state());
            Strategies.carry(rounds, plain);
            Strategies.carry(rounds, ofSites);
            assertThat(hash(plain.state())).isEqualTo(anew);
            assertThat(hash(ofSites.moments())).isEqualTo(anew);
            assertThat(hash(ofSites.state())).isEqualTo(hash(rounds.state()));
        }
    }

    @Test
    void anotherCodecShouldLeaveTheMomentsOfDataParallel() {
        try (Strategy before = new EveryStep(new GradientRule(replica, adam(), 0));
                Strategy after = new EveryStep(new GradientRule(replica, adam(), 0))) {
            fill(before.state());
            Strategies.carry(before, after);
            assertThat(hash(after.state())).isEqualTo(hash(before.state()));
        }
    }

    private Optimizer adam() {
        return replica.optimizer(OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW));
    }

    private static void fill(List<NamedSpan> spans) {
        for (NamedSpan span : spans) {
            for (ByteBuffer piece : span.data().buffers()) {
                while (piece.remaining() >= Long.BYTES) {
                    piece.putLong(7);
                }
            }
        }
    }

    private static String hash(List<NamedSpan> spans) {
        return SpanHash.of(spans.stream().map(NamedSpan::data).toList());
    }
}
