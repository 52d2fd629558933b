package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.order.SampleRange;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.GivenState;
import dev.medley.training.GivenTrain;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Tail;
import dev.medley.training.bucket.Tail.Wish;
import dev.medley.training.loop.WorkerState.Validation;
import dev.medley.training.strategy.EveryStep;
import dev.medley.training.strategy.GradientRule;
import dev.medley.training.strategy.Strategy;
import java.lang.reflect.Proxy;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a worker's state becomes with a group, with a step and with a copy. */
@Tag("unit")
class WorkerStateTest {
    private static final int STEPS = 4;

    private final Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.BF16);
    private final List<String> told = new ArrayList<>();
    private final Strategy strategy =
            told(new EveryStep(new GradientRule(replica, optimizer(), 0)));
    private final WorkerState state =
            new WorkerState(
                    replica,
                    strategy,
                    new StepSchedule(train(), 1000),
                    new Validation(10, List.of(GivenState.METRIC)),
                    new Seat(Progress.NONE),
                    Clock.system(),
                    TrainingState.START);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @AfterEach
    void close() {
        state.close();
        assertThat(told).endsWith("close");
    }

    /** Unit by unit: a group of the same members goes on. */
    @Test
    void aGroupThatGoesOnShouldNotBeginAnew() {
        state.formed(view(new Plan(1, List.of(8), 8, "")), null);
        assertThat(told).containsExactly("planned", "formed");
        told.clear();
        state.formed(view(new Plan(2, List.of(8), 8, "").goingOn()), null);
        assertThat(told).containsExactly("planned", "continued");
    }

    @Test
    void aPlanOfAnotherBatchShouldChangeTheStepsThatFollow() {
        state.formed(view(new Plan(1, List.of(8), 8, "")), null);
        assertThat(state.state().sizes()).as("the job's own").isNull();
        state.formed(view(new Plan(2, List.of(16), 16, "")), null);
        assertThat(state.schedule().samples(1)).isEqualTo(16);
        assertThat(state.state().sizes()).isEqualTo(state.schedule().sizes());
    }

    @Test
    void samplesThatWereLeftBehindShouldBeOwedToTheNextGroup() {
        SampleRange range = new SampleRange(0, 3, 5);
        state.left(new Backlog(List.of(), List.of(new Backlog.Late(0, 1, List.of(range)))));
        assertThat(state.state().backlog()).isNotNull();
        state.formed(view(new Plan(1, List.of(8), 8, "")), null);
        assertThat(state.backlog()).isEqualTo(new Backlog(List.of(range), List.of()));
        state.left(Backlog.NONE);
        assertThat(state.state().backlog()).isNull();
        assertThat(state.backlog().isNone()).isTrue();
    }

    @Test
    void fullPrecisionShouldComeWithTheStateThatHasIt() {
        assertThat(replica.computesInBf16()).isTrue();
        state.move(new TrainingState(2, false, null, 0, 0, null, false));
        assertThat(replica.computesInBf16()).isTrue();
        state.move(new TrainingState(2, false, null, 0, 0, null, true));
        assertThat(replica.computesInBf16()).isFalse();
    }

    @Test
    void fullPrecisionShouldComeWithTheStepThatWishesIt() {
        state.applied(tail(0));
        assertThat(state.state().fullPrecision()).isFalse();
        state.applied(tail(Tail.bit(Wish.FULL_PRECISION)));
        assertThat(state.state().fullPrecision()).isTrue();
        assertThat(replica.computesInBf16()).isFalse();
    }

    /** The tenth batch is looked at, in bf16 alone; a loss that bf16 cannot hold is a reason. */
    @Test
    void fullPrecisionShouldBeWishedWhereBfIsTooCoarse() {
        Batch batch = Samples.of(TargetKind.VALUE, 8, 1);
        assertThat(state.wishesFullPrecision(10, batch)).as("good enough").isFalse();
        for (int i = 0; i < replica.parameters().bytes(); i += Float.BYTES) {
            float value = replica.parameters().buffer().getFloat(i);
            replica.parameters().buffer().putFloat(i, 20 * value);
        }
        batch.target().data().copyFrom(replica.forward(batch).data());
        assertThat(state.wishesFullPrecision(10, batch)).isTrue();
        assertThat(state.wishesFullPrecision(9, batch)).as("not due").isFalse();
        assertThat(state.wishesFullPrecision(10, null)).as("nothing to look at").isFalse();
        replica.setPrecision(Precision.FP32);
        assertThat(state.wishesFullPrecision(10, batch)).as("as it is").isFalse();
    }

    @Test
    void theBudgetShouldEndTheRun() {
        for (int step = 1; step < STEPS; step++) {
            state.applied(tail(0));
            assertThat(state.state().over()).isNull();
            assertThat(state.isEvaluationDue()).isEqualTo(step == 3);
        }
        state.applied(tail(Tail.bit(Wish.TIME_IS_UP)));
        assertThat(state.state().over()).isEqualTo("the last step is done: 4 of 4");
        assertThat(state.isEvaluationDue()).isTrue();
        state.move(state.state().evaluated(1, Double.NaN, GivenState.METRIC, train().stop()));
        assertThat(state.isEvaluationDue()).as("it is done").isFalse();
    }

    @Test
    void theTimeShouldEndTheRunAndBeJudged() {
        state.applied(tail(Tail.bit(Wish.TIME_IS_UP)));
        assertThat(state.state().over()).isEqualTo("the time is used up in step 1");
        assertThat(state.isEvaluationDue()).isTrue();
    }

    @Test
    void nothingShouldBeJudgedWithoutAnythingToJudgeBy() {
        WorkerState without =
                new WorkerState(
                        replica,
                        strategy,
                        new StepSchedule(train(), 1000),
                        new Validation(0, List.of()),
                        new Seat(Progress.NONE),
                        Clock.system(),
                        TrainingState.START);
        without.applied(tail(Tail.bit(Wish.TIME_IS_UP)));
        assertThat(without.isEvaluationDue()).isFalse();
    }

    @Test
    void aParameterThatIsNoNumberShouldBeFound() {
        assertThat(state.isFinite()).isTrue();
        String before = state.parameterHash();
        replica.parameters().buffer().putFloat(4, Float.NaN);
        assertThat(state.isFinite()).isFalse();
        assertThat(state.parameterHash()).isNotEqualTo(before).hasSameSizeAs(before);
    }

    @Test
    void stateShouldBeTheModelsAndTheStrategys() {
        assertThat(state.spans()).hasSizeGreaterThan(1);
        assertThat(state.spans().get(0).name()).isEqualTo("parameters");
        assertThat(state.isOfStrategy(state.spans().get(0))).isFalse();
        assertThat(state.isOfStrategy(state.spans().get(1))).isTrue();
        assertThat(state.metrics()).containsExactly(GivenState.METRIC);
        assertThat(state.placed()).isNull();
    }

    @Test
    void aPlanShouldSayWhereSamplesAre() {
        Plan plan = new Plan(1, List.of(8), 8, "").placing(List.of(0, 0), "by the test");
        state.formed(view(plan), null);
        assertThat(state.placed()).isNotNull();
        assertThat(state.placed().epoch()).as("from the first on").isZero();
    }

    private Strategy told(Strategy real) {
        return (Strategy)
                Proxy.newProxyInstance(
                        Strategy.class.getClassLoader(),
                        new Class<?>[] {Strategy.class},
                        (proxy, method, arguments) -> {
                            switch (method.getName()) {
                                case "planned", "formed", "continued", "close" ->
                                        told.add(method.getName());
                                default -> {}
                            }
                            return method.getName().equals("formed")
                                            || method.getName().equals("continued")
                                    ? null
                                    : method.invoke(real, arguments);
                        });
    }

    private Optimizer optimizer() {
        return replica.optimizer(OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW));
    }

    private static View view(Plan plan) {
        Member one = new Member(new WorkerId(0), "host", Member.NO_SITE, "127.0.0.1", 1, "kernels");
        Group group = new Group(1, List.of(one));
        return new View(group, plan, new Progress(0, false), 0, List.of(), Long.MAX_VALUE);
    }

    /** Of one rank. */
    private static Tail tail(int wishes) {
        Tail tail = new Tail(DoubleBuffer.allocate(Tail.FIELDS), 1);
        tail.write(0, 1, 1, 0, wishes);
        return tail;
    }

    private static TrainSpec train() {
        TrainSpec given = GivenTrain.of(0, STEPS, 8).evaluateEvery(3).spec();
        return new TrainSpec(
                given.budget(),
                given.batch(),
                given.loss(),
                given.optimizer(),
                given.schedule(),
                0,
                1,
                Precision.AUTO,
                List.of(),
                3,
                given.stop(),
                List.of(),
                List.of());
    }
}
