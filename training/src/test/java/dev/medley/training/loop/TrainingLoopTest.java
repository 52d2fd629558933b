package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Fault;
import dev.medley.base.Plan;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
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
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.GivenState;
import dev.medley.training.GivenTrain;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.bucket.Tail;
import dev.medley.training.bucket.Tail.Wish;
import dev.medley.training.evaluation.BlockOwners;
import dev.medley.training.evaluation.GroupEvaluator;
import dev.medley.training.rounds.LocalSteps;
import dev.medley.training.strategy.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a group of one does from step to step, and why it ends. */
@Tag("unit")
class TrainingLoopTest {
    private static final int EPOCH = 1;
    private static final int BATCH = 8;
    private static final int STEPS = 5;
    private static final long SEED = 5;
    private static final Batch JUDGES = GivenState.batch(10, 99);

    /** What a loop has told, in order, and how it ended. */
    private final List<String> told = new ArrayList<>();

    private final List<StepFigures> figures = new ArrayList<>();
    private final List<Double> judged = new ArrayList<>();
    private final List<Double> best = new ArrayList<>();
    private final List<Long> judgingNs = new ArrayList<>();
    private boolean takesRounds;
    private final List<List<String>> hashes = new ArrayList<>();
    private LongToIntFunction wishes = step -> 0;
    private Runnable inStep = () -> {};
    private final Seat seat = new Seat(Progress.NONE);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void shouldTakeTheStepsOfOneProcessAndJudgeThemWhereThatIsDue() throws Exception {
        assertThat(run(Long.MAX_VALUE, left -> best.add(left.state().best())))
                .isEqualTo(new Ending.Finished("the last step is done: 5 of 5"));
        assertThat(told)
                .containsExactly(
                        "border",
                        "step 1",
                        "border",
                        "step 2",
                        "judged 2",
                        "border",
                        "step 3",
                        "border",
                        "step 4",
                        "judged 4",
                        "border",
                        "step 5",
                        "judged 5",
                        "border");
        assertThat(figures)
                .extracting(StepFigures::samples)
                .containsOnly(new StepFigures.Samples(BATCH, BATCH));
        List<Double> losses = new ArrayList<>();
        List<Double> expected = byHand(losses);
        assertThat(judged).hasSize(3);
        assertThat(best).containsExactly(Collections.min(judged));
        for (int i = 0; i < expected.size(); i++) {
            assertThat(judged.get(i)).isCloseTo(expected.get(i), within(1e-5));
        }
        for (int i = 0; i < STEPS; i++) {
            assertThat(figures.get(i).loss()).isCloseTo(losses.get(i), within(1e-5));
        }
    }

    /** The judgement after steps 2, 4 and 5, of a process without exchange. */
    private static List<Double> byHand(List<Double> losses) {
        List<Double> judged = new ArrayList<>();
        WorkerState state =
                GivenState.of(SEED, train(), new Seat(Progress.NONE), TrainingState.START);
        try {
            Replica replica = replica(state);
            Strategy strategy = state.strategy();
            Optimizer optimizer =
                    replica.optimizer(OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW));
            for (int i = 0; i < strategy.state().size(); i++) {
                optimizer.state().get(i).data().copyFrom(strategy.state().get(i).data());
            }
            for (int step = 1; step <= STEPS; step++) {
                replica.zeroGradients();
                StepLoss loss = replica.forwardBackward(batch(step), step, ReadyListener.NONE);
                losses.add(loss.lossSum() / loss.weight());
                optimizer.apply(1, loss.weight(), 1);
                if (step % 2 == 0 || step == STEPS) {
                    judged.add(
                            evaluator().evaluate(replica).figures().get(GivenState.METRIC.name()));
                }
            }
            optimizer.close();
            return judged;
        } finally {
            state.close();
        }
    }

    @Test
    void shouldPauseAfterTheStepInWhichThatIsWished() throws Exception {
        wishes = step -> step == 3 ? Tail.bit(Wish.PAUSE) : 0;
        assertThat(run(Long.MAX_VALUE, left -> assertThat(left.state().step()).isEqualTo(3)))
                .isEqualTo(new Ending.Paused());
        assertThat(told).endsWith("step 3", "border");
    }

    @Test
    void shouldPauseAfterTheLastStepOfTheGroup() throws Exception {
        assertThat(run(2, left -> assertThat(left.state().over()).isNull()))
                .isEqualTo(new Ending.Paused());
        assertThat(told).endsWith("step 2", "judged 2", "border");
    }

    @Test
    void shouldJudgeWhatItHasWhenTheTimeIsUp() throws Exception {
        wishes = step -> step == 3 ? Tail.bit(Wish.TIME_IS_UP) : 0;
        assertThat(run(Long.MAX_VALUE, left -> {}))
                .isEqualTo(new Ending.Finished("the time is used up in step 3"));
        assertThat(told).endsWith("step 3", "judged 3", "border");
    }

    @Test
    void figuresShouldSayWhereTheTimeWent() throws Exception {
        long fromNs = Clock.system().nowNs();
        run(Long.MAX_VALUE, left -> {});
        long allNs = Clock.system().nowNs() - fromNs;
        for (StepFigures of : figures) {
            assertThat(of.computeNs()).isPositive();
            assertThat(of.exchangeNs()).isNotNegative();
            assertThat(of.waitingNs()).isNotNegative();
            assertThat(of.computeNs() + of.exchangeNs() + of.waitingNs())
                    .isLessThanOrEqualTo(of.stepNs());
            assertThat(of.stepNs()).isLessThan(allNs);
        }
        assertThat(judgingNs).hasSize(3).allMatch(ns -> ns > 0 && ns < allNs);
    }

    /** Sealed while its step was under way; of a strategy whose steps are each worker's own too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStepThatNobodyMayApplyShouldLeaveNoTrace(boolean isOfRounds) throws Exception {
        takesRounds = isOfRounds;
        inStep =
                () -> {
                    if (told.contains("step 2")) {
                        var unused = seat.seal(EPOCH + 1);
                    }
                };
        List<List<String>> after = new ArrayList<>();
        Ending ending = run(Long.MAX_VALUE, left -> after.add(GivenState.hashes(left)));
        assertThat(ending).isInstanceOf(Ending.Faulted.class);
        Ending.Faulted faulted = (Ending.Faulted) ending;
        assertThat(faulted.step()).isEqualTo(3);
        assertThat(faulted.fault().kind()).isEqualTo(Fault.Kind.SEALED);
        assertThat(after.get(0))
                .isEqualTo(hashes.get(hashes.size() - 1))
                .isNotEqualTo(hashes.get(0));
        assertThat(told).endsWith("step 2", "judged 2", "border");
    }

    private Ending run(long lastStep, Consumer<WorkerState> afterwards) throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            Plan plan = new Plan(1, List.of(BATCH), BATCH, "one");
            View view =
                    new View(
                            one.group(EPOCH), plan, new Progress(0, false), 0, List.of(), lastStep);
            return one.play(EPOCH, 1 << 16, rank -> run(view, rank, afterwards)).get(0);
        }
    }

    private Ending run(View view, Collective collective, Consumer<WorkerState> afterwards) {
        WorkerState state = state();
        assertThat(seat.enter(EPOCH)).isTrue();
        try (RoundBatches batches =
                new RoundBatches(
                        (ranges, first, isOwn) -> new Given(ranges, first),
                        number -> new SampleRange(0, number, number + 1),
                        1)) {
            state.formed(view, collective);
            StrategySpec strategy = StrategySpec.defaults();
            GroupExchange exchange =
                    new GroupExchange(
                            collective,
                            GroupExchange.layout(state.learner(), 1, strategy, blocks().values()),
                            state.learner(),
                            evaluator(),
                            new BlockOwners(List.of(0)),
                            strategy,
                            0);
            Ending ending = new TrainingLoop(state, view, exchange, batches, new Told(state)).run();
            afterwards.accept(state);
            return ending;
        } finally {
            state.close();
        }
    }

    private WorkerState state() {
        WorkerState given = GivenState.of(SEED, train(), seat, TrainingState.START);
        if (!takesRounds) {
            return given;
        }
        given.strategy().close();
        Replica replica = replica(given);
        Optimizer inner = replica.optimizer(OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW));
        return new WorkerState(
                replica,
                new LocalSteps(replica, inner, RoundSpec.defaults(StrategySpec.Kind.LOCAL_SGD), 0),
                given.schedule(),
                new WorkerState.Validation(10, given.metrics()),
                seat,
                given.clock(),
                given.state());
    }

    private static Replica replica(WorkerState of) {
        return (Replica) of.learner();
    }

    private static TrainSpec train() {
        return GivenTrain.of(0, STEPS, BATCH).evaluateEvery(2).spec();
    }

    private static Batch batch(long step) {
        return GivenState.batch(BATCH, step);
    }

    private static EvaluationBlocks blocks() {
        return new EvaluationBlocks(
                JUDGES.samples(),
                JUDGES.samples(),
                GivenState.signature().target(),
                List.of(GivenState.METRIC));
    }

    private static GroupEvaluator evaluator() {
        return new GroupEvaluator(
                blocks(),
                GivenState.signature().target().kind(),
                (from, to) -> JUDGES.rows((int) from, (int) to));
    }

    /** The batch of each number. */
    private final class Given implements BatchStream {
        private final LongFunction<SampleRange> ranges;
        private long number;

        Given(LongFunction<SampleRange> ranges, long first) {
            this.ranges = ranges;
            this.number = first;
        }

        @Override
        public Batch next() {
            inStep.run();
            return batch(ranges.apply(number++).from());
        }

        @Override
        public long stallNs() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private final class Told implements TrainingLoop.Hooks {
        private final WorkerState state;

        Told(WorkerState state) {
            this.state = state;
        }

        @Override
        public int wishes() {
            return wishes.applyAsInt(state.state().step() + 1);
        }

        @Override
        public void stepped(StepFigures of) {
            figures.add(of);
            told.add("step " + of.step());
        }

        @Override
        public void precisionRaised(long step) {
            told.add("raised " + step);
        }

        @Override
        public void evaluated(Evaluation evaluation, long durationNs) {
            judged.add(evaluation.figures().get(GivenState.METRIC.name()));
            judgingNs.add(durationNs);
            told.add("judged " + state.state().step());
        }

        @Override
        public void atBorder() {
            hashes.add(GivenState.hashes(state));
            told.add("border");
        }
    }
}
