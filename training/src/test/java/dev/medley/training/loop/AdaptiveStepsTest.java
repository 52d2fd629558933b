package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Plan;
import dev.medley.base.StepTag;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.data.order.SampleRange;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.GivenTrain;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.strategy.EveryStep;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.GradientRule;
import dev.medley.training.strategy.Part;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run whose batch grows and shrinks, with shares that change and an epoch that ends in the middle
 * of a plan, against one process that takes the same samples and multiplies its rate by hand.
 */
@Tag("unit")
class AdaptiveStepsTest {
    private static final TargetKind KIND = TargetKind.VALUE;
    private static final int EPOCH = 170;
    private static final double RATE = 0.02;
    private static final ScheduleSpec DROPS =
            new ScheduleSpec(ScheduleSpec.Kind.STEP, 0, 1, 0.5, 0);

    /** An exchange after every batch, however large. */
    private static final StepSchedule.Round WHOLE = new StepSchedule.Round(1, EPOCH);

    /** So many steps of a plan. */
    private record Stretch(Plan plan, int steps) {
        static Stretch of(int steps, double scale, Integer... shares) {
            Plan plan = new Plan(1, List.of(shares), 64, "for a test");
            return new Stretch(plan.scaled(scale, "hand"), steps);
        }
    }

    private static final List<Stretch> STRETCHES =
            List.of(
                    Stretch.of(2, 1, 16, 8, 8),
                    Stretch.of(3, 1.7, 40, 0, 24),
                    Stretch.of(2, 2.9, 64, 32, 32),
                    Stretch.of(3, 1.25, 1, 39, 0));

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = OptimizerSpec.Kind.class,
            names = {"SGD", "ADAMW"})
    void shouldBeOneProcessWhoseRateIsScaledByHand(OptimizerSpec.Kind kind) throws Exception {
        OptimizerSpec rule = OptimizerSpec.defaults(kind).withLearningRate(RATE);
        double[] expected = alone(rule);
        try (RanksOnThreads three = new RanksOnThreads(3)) {
            for (double[] actual : three.play(1, 1 << 16, each -> together(each, rule))) {
                for (int i = 0; i < expected.length; i++) {
                    assertThat(actual[i]).isCloseTo(expected[i], within(1e-12));
                }
            }
        }
    }

    /** Samples one after another; the last step of an epoch takes what is left. */
    private static double[] alone(OptimizerSpec rule) {
        try (Replica replica = replica();
                Optimizer optimizer = replica.optimizer(rule)) {
            int at = 0;
            int epoch = 0;
            for (Stretch stretch : STRETCHES) {
                for (int i = 0; i < stretch.steps(); i++) {
                    int to = Math.min(EPOCH, at + stretch.plan().globalBatch());
                    replica.zeroGradients();
                    StepLoss loss =
                            replica.forwardBackward(samples().rows(at, to), 1, ReadyListener.NONE);
                    double byHand = Math.pow(0.5, epoch) * stretch.plan().learningRateScale();
                    optimizer.apply(byHand, loss.weight(), 1);
                    epoch += to == EPOCH ? 1 : 0;
                    at = to == EPOCH ? 0 : to;
                }
            }
            assertThat(epoch).isPositive();
            return values(replica);
        }
    }

    private static double[] together(Collective collective, OptimizerSpec rule) {
        try (Replica replica = replica();
                EveryStep strategy =
                        new EveryStep(new GradientRule(replica, replica.optimizer(rule), 0))) {
            long bytes = replica.layout().gradientBytes();
            ExchangeLayout layout =
                    new ExchangeLayout(replica.layout().type(), bytes, 0, collective.size(), 0);
            replica.bindGradients(collective.buffer().slice(0, bytes));
            Buckets buckets = new Buckets(replica, collective, layout, 512, 0);
            int first = STRETCHES.get(0).plan().globalBatch();
            StepSchedule schedule =
                    new StepSchedule(
                            GivenTrain.of(9, 0, first).schedule(DROPS).spec(), WHOLE, EPOCH);
            long step = 0;
            for (Stretch stretch : STRETCHES) {
                int batch = stretch.plan().globalBatch();
                schedule = schedule.with(schedule.sizes().from(step + 1, batch));
                ShareBatches shares = new ShareBatches(schedule, stretch.plan(), collective.rank());
                for (int i = 0; i < stretch.steps(); i++) {
                    step++;
                    Part part = shares.part(step);
                    assertThat(part.unit()).isEqualTo(schedule.samples(step));
                    buckets.begin(new StepTag(1, step, 1), part.unit());
                    StepLoss loss = strategy.compute(part, feed(shares, step), buckets);
                    buckets.conclude(loss, 0);
                    assertThat(buckets.finish()).isNull();
                    strategy.update(part, buckets.tail()).run();
                }
            }
            return values(replica);
        }
    }

    /** The batches of a step, in order. */
    private static Feed feed(ShareBatches shares, long step) {
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < shares.count(step); i++) {
            SampleRange range = shares.range(shares.first(step) + i);
            batches.add(samples().rows((int) range.from(), (int) range.to()));
        }
        return new Feed() {
            @Override
            public Batch next() {
                return batches.remove(0);
            }

            @Override
            public boolean isWanted() {
                return true;
            }
        };
    }

    private static Batch samples() {
        return Samples.of(KIND, EPOCH, 3);
    }

    private static Replica replica() {
        return Samples.replica(KIND, 1, Precision.FP64);
    }

    private static double[] values(Replica replica) {
        DoubleBuffer buffer = replica.parameters().buffer().asDoubleBuffer();
        double[] values = new double[buffer.remaining()];
        buffer.get(values);
        return values;
    }
}
