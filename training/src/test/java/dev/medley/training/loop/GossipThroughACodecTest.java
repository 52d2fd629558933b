package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.order.SampleRange;
import dev.medley.exchange.Collective;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.EvaluationBlocks;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.GivenState;
import dev.medley.training.GivenTrain;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.evaluation.BlockOwners;
import dev.medley.training.evaluation.GroupEvaluator;
import dev.medley.training.gossip.GossipSteps;
import dev.medley.training.loop.WorkerState.Validation;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two workers of a gossip at two sites, with int4 between them. They learn in the first round
 * alone; from then on theta comes nearer to their mean with each round, by what the round before
 * left out: once, and not twice.
 */
@Tag("unit")
class GossipThroughACodecTest {
    private static final int EPOCH = 1;
    private static final int ROUNDS = 4;
    private static final int STEPS = 4;
    private static final int SHARE = 8;
    private static final int TRIES = 20;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /** A letter that comes late comes in a later round: such a try says nothing. */
    @Test
    void whatACodecLeftOutShouldComeOnce() throws Exception {
        List<Double> moved = moved();
        for (int more = 1; more < TRIES && !isOnce(moved); more++) {
            moved = moved();
        }
        assertThat(moved.get(0)).isPositive();
        assertThat(moved.get(1)).isLessThan(moved.get(0) / 4);
        assertThat(moved.get(2)).isLessThan(moved.get(1) / 4);
    }

    private static boolean isOnce(List<Double> moved) {
        return moved.get(1) < moved.get(0) / 4 && moved.get(2) < moved.get(1) / 4;
    }

    /** How far theta goes in each round after the first. */
    private static List<Double> moved() throws Exception {
        StrategySpec strategy =
                StrategySpec.defaults(StrategySpec.Kind.GOSSIP)
                        .with(Compress.INT4, CodecSpec.DEFAULT);
        try (RanksOnThreads two =
                new RanksOnThreads(List.of("a", "b"), Compress.INT4, CodecSpec.DEFAULT)) {
            Group group = two.group(EPOCH);
            int perRound = STEPS * SHARE;
            Plan plan = new Plan(1, List.of(perRound, perRound), SHARE, "halves");
            View view = new View(group, plan, new Progress(0, false), 0, List.of(), ROUNDS);
            List<List<double[]>> all =
                    two.playWithPosts(EPOCH, 1 << 18, each -> train(view, each, strategy));
            List<double[]> thetas = all.get(0);
            assertThat(thetas).hasSize(ROUNDS + 1);
            return List.of(
                    distance(thetas.get(2), thetas.get(1)),
                    distance(thetas.get(3), thetas.get(2)),
                    distance(thetas.get(4), thetas.get(3)));
        }
    }

    /** Theta at each border. */
    private static List<double[]> train(View view, Collective collective, StrategySpec strategy) {
        Seat seat = new Seat(Progress.NONE);
        // After the first epoch, which is a round, the rate is next to nothing.
        TrainSpec train =
                GivenTrain.of(ROUNDS, 0, 2 * SHARE)
                        .schedule(new ScheduleSpec(ScheduleSpec.Kind.STEP, 0, 1, 1e-300, 0))
                        .evaluateEvery(10_000)
                        .spec();
        OptimizerSpec sgd = OptimizerSpec.defaults(OptimizerSpec.Kind.SGD).withLearningRate(0.1);
        Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
        GossipSteps gossip =
                new GossipSteps(replica, replica.optimizer(sgd), new GossipSteps.Settings(2, 7, 0));
        StepSchedule schedule =
                new StepSchedule(train, new StepSchedule.Round(STEPS, SHARE), 2L * STEPS * SHARE);
        WorkerState state =
                new WorkerState(
                        replica,
                        gossip,
                        schedule,
                        new Validation(0, List.of(GivenState.METRIC)),
                        seat,
                        Clock.system(),
                        TrainingState.START);
        seat.hold(TrainingState.START.progress());
        assertThat(seat.enter(EPOCH)).isTrue();
        ExchangeLayout layout = GroupExchange.layout(replica, 2, strategy, 0);
        GroupEvaluator none =
                new GroupEvaluator(
                        new EvaluationBlocks(
                                0, 1, new Target(TargetKind.VALUE, 1, List.of()), List.of()),
                        TargetKind.VALUE,
                        (from, to) -> Samples.of(TargetKind.VALUE, 0, 1));
        Borders borders = new Borders(replica);
        state.formed(view, collective);
        try (GroupExchange exchange =
                        new GroupExchange(
                                collective,
                                layout,
                                replica,
                                none,
                                new BlockOwners(List.of()),
                                strategy,
                                0);
                RoundBatches batches =
                        new RoundBatches(
                                (ranges, first, isOwn) -> new Same(collective.rank()),
                                number -> new SampleRange(0, 0, 0),
                                1)) {
            new TrainingLoop(state, view, exchange, batches, borders).run();
        } finally {
            state.close();
        }
        return borders.thetas;
    }

    private static double distance(double[] one, double[] other) {
        double squares = 0;
        for (int i = 0; i < one.length; i++) {
            squares += (one[i] - other[i]) * (one[i] - other[i]);
        }
        return Math.sqrt(squares);
    }

    /** A worker's own batch, again and again. */
    private record Same(int rank) implements BatchStream {
        @Override
        public Batch next() {
            return Samples.of(TargetKind.VALUE, SHARE, rank + 1);
        }

        @Override
        public long stallNs() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static final class Borders implements TrainingLoop.Hooks {
        final List<double[]> thetas = new ArrayList<>();
        private final Replica replica;

        Borders(Replica replica) {
            this.replica = replica;
        }

        @Override
        public int wishes() {
            return 0;
        }

        @Override
        public void stepped(StepFigures figures) {}

        @Override
        public void precisionRaised(long step) {}

        @Override
        public void evaluated(Evaluation evaluation, long durationNs) {}

        @Override
        public void atBorder() {
            DoubleBuffer buffer = replica.parameters().buffer().asDoubleBuffer();
            double[] theta = new double[buffer.remaining()];
            buffer.get(theta);
            thetas.add(theta);
        }
    }
}
