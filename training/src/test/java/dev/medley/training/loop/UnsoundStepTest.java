package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.medley.base.Plan;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.order.SampleRange;
import dev.medley.exchange.Collective;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.EvaluationBlocks;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.tensor.Torch;
import dev.medley.training.GivenState;
import dev.medley.training.GivenTrain;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.evaluation.BlockOwners;
import dev.medley.training.evaluation.GroupEvaluator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A loss that is no number on one of two ranks: all end alike, with all that they had before. */
@Tag("unit")
class UnsoundStepTest {
    private static final int EPOCH = 1;
    private static final int BAD_STEP = 3;
    private static final int SHARE = 4;

    /** What a rank is left with. */
    private record Left(
            TrainingState run, List<String> hashes, List<String> before, String message) {}

    private static final SampleRange NOTHING = new SampleRange(0, 0, 0);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 16 to 19", "1, 20 to 23"})
    void allThatACheckpointSavesShouldBeAsItWasBeforeTheStep(int badRank, String samples)
            throws Exception {
        try (RanksOnThreads group = new RanksOnThreads(2)) {
            Plan plan = new Plan(1, List.of(SHARE, SHARE), SHARE, "halves");
            View view =
                    new View(group.group(EPOCH), plan, Progress.NONE, 0, List.of(), Long.MAX_VALUE);
            List<Left> all = group.play(EPOCH, 1 << 16, rank -> train(view, rank, badRank));
            for (Left left : all) {
                assertThat(left.run().step()).isEqualTo(BAD_STEP - 1);
                assertThat(left.hashes())
                        .as("parameters, running statistics, moments")
                        .isEqualTo(left.before())
                        .isEqualTo(all.get(0).hashes());
                assertThat(left.message())
                        .contains(
                                "step 3, on worker-%d, samples %s of epoch 0"
                                        .formatted(badRank, samples));
            }
        }
    }

    private static Left train(View view, Collective collective, int badRank) {
        Seat seat = new Seat(Progress.NONE);
        GivenTrain train = GivenTrain.of(0, 100, 2 * SHARE).evaluateEvery(100);
        WorkerState state = GivenState.of(5, train.spec(), seat, TrainingState.START);
        assertThat(seat.enter(EPOCH)).isTrue();
        Borders borders = new Borders(state);
        BatchStream given = new Batches(collective.rank(), badRank);
        try (RoundBatches batches =
                new RoundBatches((ranges, first, isOwn) -> given, number -> NOTHING, 1)) {
            TrainingLoop loop =
                    new TrainingLoop(state, view, exchange(state, collective), batches, borders);
            UnsoundStepException thrown =
                    catchThrowableOfType(UnsoundStepException.class, loop::run);
            List<String> before = borders.hashes.get(BAD_STEP - 1);
            assertThat(before).as("every step moves").isNotEqualTo(borders.hashes.get(0));
            return new Left(state.state(), GivenState.hashes(state), before, thrown.getMessage());
        } finally {
            state.learner().close();
        }
    }

    private static GroupExchange exchange(WorkerState state, Collective collective) {
        ExchangeLayout layout =
                new ExchangeLayout(
                        state.learner().layout().type(),
                        state.learner().layout().gradientBytes(),
                        RunningStatistics.bytes(state.learner()),
                        collective.size(),
                        0);
        assertThat(layout.bufferBytes()).as("there are running statistics").isPositive();
        GroupEvaluator none =
                new GroupEvaluator(
                        new EvaluationBlocks(
                                0, 1, new Target(TargetKind.VALUE, 1, List.of()), List.of()),
                        TargetKind.VALUE,
                        (from, to) -> batch(0, 0));
        return new GroupExchange(
                collective,
                layout,
                state.learner(),
                none,
                new BlockOwners(List.of()),
                StrategySpec.defaults(),
                0);
    }

    private static Batch batch(int rank, int step) {
        return GivenState.batch(SHARE, 100L * rank + step);
    }

    /** Sound samples but for one, of one rank. */
    private static final class Batches implements BatchStream {
        private final int rank;
        private final int badRank;
        private int step;

        Batches(int rank, int badRank) {
            this.rank = rank;
            this.badRank = badRank;
        }

        @Override
        public Batch next() {
            Batch batch = batch(rank, ++step);
            if (step == BAD_STEP && rank == badRank) {
                batch.target().data().buffer().putFloat(0, Float.MAX_VALUE);
            }
            return batch;
        }

        @Override
        public long stallNs() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** Remembers the state at each border. */
    private static final class Borders implements TrainingLoop.Hooks {
        final List<List<String>> hashes = new ArrayList<>();
        private final WorkerState state;

        Borders(WorkerState state) {
            this.state = state;
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
            hashes.add(GivenState.hashes(state));
        }
    }
}
