package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.NoiseSample;
import dev.medley.base.StepTag;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The noise that a step tells of is that of the gradients which were summed. */
@Tag("unit")
class MeasuredNoiseTest {
    private static final Batch BATCH = Samples.of(TargetKind.VALUE, 12, 5);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void unequalSharesShouldTellTheNoiseOfTheirOwnGradients() throws Exception {
        NoiseSample expected =
                NoiseSample.of(
                        List.of(9.0, 3.0), List.of(square(0, 9), square(9, 12)), square(0, 12));
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            for (NoiseSample noise : two.play(1, 1 << 16, rank -> step(rank, 12))) {
                assertClose(noise, expected);
            }
        }
    }

    @Test
    void aWorkerAloneShouldCompareItsFirstMicroBatchWithTheWhole() throws Exception {
        NoiseSample expected = NoiseSample.nested(4, square(0, 4), 12, square(0, 12));
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            assertClose(one.play(1, 1 << 16, rank -> step(rank, 4)).get(0), expected);
            assertThat(one.play(2, 1 << 16, rank -> step(rank, 12) == null).get(0))
                    .as("at once it cannot know")
                    .isTrue();
        }
    }

    /** One step of rank 0 with nine samples and rank 1 with three, or of one with all. */
    private static NoiseSample step(Collective collective, int microBatch) {
        boolean isAlone = collective.size() == 1;
        int from = collective.rank() == 0 ? 0 : 9;
        int to = collective.rank() == 0 && !isAlone ? 9 : 12;
        try (Replica replica = replica();
                EveryStep strategy =
                        new EveryStep(
                                new GradientRule(
                                        replica,
                                        replica.optimizer(
                                                OptimizerSpec.defaults(OptimizerSpec.Kind.SGD)),
                                        0,
                                        true))) {
            long gradientBytes = replica.layout().gradientBytes();
            ExchangeLayout layout =
                    new ExchangeLayout(
                            replica.layout().type(), gradientBytes, 0, collective.size(), 0);
            replica.bindGradients(collective.buffer().slice(0, gradientBytes));
            Buckets buckets = new Buckets(replica, collective, layout, 256, 0);
            buckets.begin(new StepTag(1, 1, 1));
            List<Integer> batches = Collections.nCopies(collective.size(), 1);
            Part part = new Part(1, collective.rank(), from, batches, microBatch, i -> 1);
            StepLoss loss = strategy.compute(part, feed(BATCH.rows(from, to)), buckets);
            buckets.conclude(loss, 0);
            assertThat(buckets.finish()).isNull();
            Update update = strategy.update(part, buckets.tail());
            update.run();
            return update.noise();
        }
    }

    private static Feed feed(Batch batch) {
        return new Feed() {
            @Override
            public Batch next() {
                return batch;
            }

            @Override
            public boolean isWanted() {
                return true;
            }
        };
    }

    /** Squared norm of the mean gradient of some samples. */
    private static double square(int from, int to) {
        try (Replica replica = replica()) {
            replica.zeroGradients();
            StepLoss loss =
                    replica.forwardBackward(BATCH.rows(from, to), 1, from, ReadyListener.NONE);
            return replica.gradientSquaredNorm(Arithmetic.LIBTORCH)
                    / (loss.weight() * loss.weight());
        }
    }

    private static Replica replica() {
        return Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
    }

    private static void assertClose(NoiseSample actual, NoiseSample expected) {
        assertThat(actual.signal()).isCloseTo(expected.signal(), within(1e-9));
        assertThat(actual.variance()).isCloseTo(expected.variance(), within(1e-9));
    }
}
