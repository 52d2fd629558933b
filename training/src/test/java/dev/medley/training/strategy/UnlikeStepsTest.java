package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.Samples;
import dev.medley.training.rounds.LocalSteps;
import dev.medley.training.strategy.CodedRank.Stretch;
import dev.medley.training.strategy.CodedRank.Way;
import java.nio.DoubleBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Steps that weigh unlike much: the last of an epoch has a sample left, a batch has grown, a share
 * is empty, tokens are without a target. What is kept from step to step is kept as a mean, so a
 * step counts by its mean gradient, whatever it weighs.
 */
@Tag("unit")
class UnlikeStepsTest {
    private static final List<String> ONE = List.of("east");
    private static final List<String> SITES = List.of("east", "east", "west");
    private static final TargetKind TOKENS = TargetKind.TOKENS;

    /** Steps before 1-bit Adam. */
    private static final int EXACT = 3;

    private static final OptimizerSpec ADAM =
            OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM).withLearningRate(0.003);

    /** Samples of each rank, by step: 256 before one, nobody but the last, more and more. */
    private static final List<List<Integer>> SHARES =
            List.of(
                    List.of(96, 100, 60),
                    List.of(1, 0, 0),
                    List.of(0, 0, 3),
                    List.of(64, 64, 128),
                    List.of(0, 1, 0),
                    List.of(5, 1, 2),
                    List.of(40, 0, 0),
                    List.of(128, 256, 128));

    /** How many times over a step has its samples. */
    private static final List<Integer> COPIES = List.of(256, 1, 64, 1, 4, 256, 1, 1, 128, 2);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    // ---- Momentum before the sum is momentum after it

    private static Stream<Arguments> momenta() {
        return Stream.of(TargetKind.CLASSES, TargetKind.VALUE, TOKENS)
                .flatMap(k -> Stream.of(Arguments.of(k, false), Arguments.of(k, true)));
    }

    /** Bit for bit but for rounding: SGD with momentum, of one process with the samples of all. */
    @ParameterizedTest
    @MethodSource("momenta")
    void correctedMomentumShouldBeMomentumWhateverStepsWeigh(TargetKind kind, boolean isNesterov)
            throws Exception {
        OptimizerSpec rule = sgd(0.05, 0.9, isNesterov);
        Way corrected = way(kind, replica -> corrected(replica, rule));
        double[] expected = alone(kind, rule, -1);
        List<List<Batch>> whole =
                IntStream.range(0, SHARES.size()).mapToObj(i -> List.of(whole(kind, i))).toList();
        assertClose(CodedRank.train(ONE, corrected, Stretch.of(whole)), expected);
        assertClose(CodedRank.train(SITES, corrected, Stretch.of(shared(kind))), expected);
    }

    @ParameterizedTest
    @MethodSource("momenta")
    void momentumShouldGoOnWithItsGroupAndBeginAnewInAnother(TargetKind kind, boolean isNesterov)
            throws Exception {
        OptimizerSpec rule = sgd(0.05, 0.9, isNesterov);
        Way corrected = way(kind, replica -> corrected(replica, rule));
        List<List<Batch>> steps = shared(kind);
        Stretch first = Stretch.of(steps.subList(0, 5));
        Stretch second = Stretch.of(steps.subList(5, 8));
        double[] once = CodedRank.train(SITES, corrected, Stretch.of(steps));
        double[] goingOn = CodedRank.train(SITES, corrected, first, second.goingOn());
        assertThat(goingOn).isEqualTo(once);
        double[] anew = CodedRank.train(SITES, corrected, first, second);
        assertThat(anew).isNotEqualTo(once);
        assertClose(anew, alone(kind, rule, 5));
    }

    /** One process, whose moments are cleared before one of the steps; -1 for none. */
    private static double[] alone(TargetKind kind, OptimizerSpec rule, int anew) {
        try (Replica replica = Samples.replica(kind, 1, Precision.FP64);
                Optimizer optimizer = replica.optimizer(rule)) {
            for (int step = 0; step < SHARES.size(); step++) {
                if (step == anew) {
                    optimizer.state().forEach(moment -> moment.data().clear());
                }
                replica.zeroGradients();
                StepLoss loss =
                        replica.forwardBackward(whole(kind, step), step + 1, ReadyListener.NONE);
                new GradientUpdate(replica, optimizer, loss.weight(), 0, 1).run();
            }
            return AsyncRank.doubles(replica);
        }
    }

    // ---- Momentum of Adam before the sum is momentum after it

    /** Where nothing is left out: Adam whose variance stays what the first steps have taught it. */
    @ParameterizedTest
    @EnumSource(
            value = TargetKind.class,
            names = {"CLASSES", "VALUE", "TOKENS"})
    void momentumOfAdamShouldBeThatOfOneProcessWhateverStepsWeigh(TargetKind kind)
            throws Exception {
        double[] expected = aloneByAdam(kind);
        Way sending = way(kind, UnlikeStepsTest::oneBitAdam);
        assertClose(CodedRank.train(SITES, sending, Stretch.of(shared(kind))), expected);
    }

    private static double[] aloneByAdam(TargetKind kind) {
        try (Replica replica = Samples.replica(kind, 1, Precision.FP64);
                Optimizer adam = replica.optimizer(ADAM)) {
            adam.learnVarianceFor(EXACT);
            for (int step = 0; step < SHARES.size(); step++) {
                if (step == EXACT) {
                    raise(replica, adam);
                }
                replica.zeroGradients();
                StepLoss loss =
                        replica.forwardBackward(whole(kind, step), step + 1, ReadyListener.NONE);
                adam.apply(1, loss.weight(), 1);
            }
            return AsyncRank.doubles(replica);
        }
    }

    /** To a ten-thousandth of the largest of its tensor, as docs/exchange.md has it. */
    private static void raise(Replica replica, Optimizer adam) {
        DoubleBuffer variance =
                adam.state().stream()
                        .filter(state -> state.name().equals("optimizer.exp_avg_sq"))
                        .findFirst()
                        .orElseThrow()
                        .data()
                        .buffer()
                        .asDoubleBuffer();
        double all =
                IntStream.range(0, variance.limit()).mapToDouble(variance::get).max().orElse(0);
        for (Slot slot : replica.layout().slots()) {
            int from = (int) slot.offset();
            int to = (int) slot.end();
            double most = IntStream.range(from, to).mapToDouble(variance::get).max().orElse(0);
            double floor = Math.max(1e-4 * most, 1e-8 * all);
            IntStream.range(from, to)
                    .forEach(i -> variance.put(i, Math.max(variance.get(i), floor)));
        }
    }

    // ---- What is left out counts by its mean

    private static Stream<Arguments> ways() {
        OptimizerSpec sgd = sgd(0.05, 0, false);
        OptimizerSpec momentum = sgd(0.02, 0.9, false);
        RoundSpec diloco = RoundSpec.defaults(Kind.DILOCO);
        CodecSpec tenth = CodecSpec.DEFAULT.keeping(0.1);
        CodecSpec usual = CodecSpec.DEFAULT;
        TargetKind kind = TargetKind.CLASSES;
        Way plain = way(kind, replica -> everyStep(replica, sgd));
        Way corrected = way(kind, replica -> corrected(replica, momentum));
        Way nesterov = way(kind, replica -> corrected(replica, sgd(0.02, 0.9, true)));
        Way rounds =
                new Way(
                        kind,
                        Compress.NONE,
                        usual,
                        4,
                        replica -> new LocalSteps(replica, replica.optimizer(sgd), diloco, 0));
        return Stream.of(
                Arguments.of("int8", plain.through(Compress.INT8, usual)),
                Arguments.of("int4", plain.through(Compress.INT4, usual)),
                Arguments.of("topk", plain.through(Compress.TOPK, tenth)),
                Arguments.of("signs", plain.through(Compress.ONEBIT, usual)),
                Arguments.of("factors", plain.through(Compress.POWERSGD, usual.ofRank(1))),
                Arguments.of("momentum", corrected.through(Compress.TOPK, tenth)),
                Arguments.of("nesterov", nesterov.through(Compress.TOPK, tenth)),
                Arguments.of("1-bit Adam", oneBit(kind)),
                Arguments.of("rounds, int4", rounds.through(Compress.INT4, usual)),
                Arguments.of("rounds, topk", rounds.through(Compress.TOPK, tenth)),
                Arguments.of("rounds, factors", rounds.through(Compress.POWERSGD, usual.ofRank(1))),
                Arguments.of("tokens, topk", tokens().through(Compress.TOPK, tenth)),
                Arguments.of("tokens, int4", tokens().through(Compress.INT4, usual)),
                Arguments.of(
                        "tokens, factors", tokens().through(Compress.POWERSGD, usual.ofRank(1))));
    }

    /** Momentum of tokens, before the codec. */
    private static Way tokens() {
        return way(TOKENS, replica -> corrected(replica, sgd(0.02, 0.9, false)));
    }

    private static Way oneBit(TargetKind kind) {
        return way(kind, UnlikeStepsTest::oneBitAdam)
                .through(Compress.ONEBIT, CodecSpec.DEFAULT.after(EXACT));
    }

    /** A step of the same samples many times over is the same step. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void aStepOfTheSameSamplesManyTimesOverShouldBeTheSameStep(String name, Way way)
            throws Exception {
        List<List<Batch>> once = new ArrayList<>();
        List<List<Batch>> manyTimes = new ArrayList<>();
        for (int step = 0; step < COPIES.size(); step++) {
            List<Batch> own = few(way.kind(), step);
            once.add(own);
            int copies = Math.min(COPIES.get(step), way.kind() == TOKENS ? 16 : 256);
            manyTimes.add(own.stream().map(batch -> repeated(batch, copies)).toList());
        }
        double[] expected = CodedRank.train(SITES, way, Stretch.of(once));
        double[] actual = CodedRank.train(SITES, way, Stretch.of(manyTimes));
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).as("%d", i).isCloseTo(expected[i], within(1e-5));
        }
    }

    /** Nothing moves by it, and nothing of what is left out or in motion is lost. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("waysOfTokens")
    void aStepWithoutWeightShouldLeaveNoTrace(String name, Way way) throws Exception {
        List<List<Batch>> steps = new ArrayList<>();
        List<List<Batch>> withEmpty = new ArrayList<>();
        for (int step = 0; step < 8; step++) {
            List<Batch> own = few(TOKENS, step);
            steps.add(own);
            withEmpty.add(own);
            withEmpty.add(own.stream().map(UnlikeStepsTest::withoutTargets).toList());
        }
        double[] expected = CodedRank.train(SITES, way, Stretch.of(steps));
        assertThat(CodedRank.train(SITES, way, Stretch.of(withEmpty))).isEqualTo(expected);
    }

    private static Stream<Arguments> waysOfTokens() {
        OptimizerSpec sgd = sgd(0.05, 0, false);
        RoundSpec average = RoundSpec.defaults(Kind.LOCAL_SGD);
        Way plain = way(TOKENS, replica -> everyStep(replica, sgd));
        Way rounds =
                new Way(
                        TOKENS,
                        Compress.INT4,
                        CodecSpec.DEFAULT,
                        3,
                        replica -> new LocalSteps(replica, replica.optimizer(sgd), average, 0));
        CodecSpec tenth = CodecSpec.DEFAULT.keeping(0.1);
        return Stream.of(
                Arguments.of("int4", plain.through(Compress.INT4, CodecSpec.DEFAULT)),
                Arguments.of("topk", plain.through(Compress.TOPK, tenth)),
                Arguments.of("momentum", tokens().through(Compress.TOPK, tenth)),
                Arguments.of("1-bit Adam", oneBit(TOKENS)),
                Arguments.of("factors", plain.through(Compress.POWERSGD, CodecSpec.DEFAULT)),
                Arguments.of("rounds", rounds));
    }

    /**
     * Also signs of what has no gradient but for rounding, which two sums of it do not have alike.
     */
    private static Stream<Arguments> allWays() {
        return Stream.concat(ways(), Stream.of(Arguments.of("tokens, 1-bit Adam", oneBit(TOKENS))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("allWays")
    void aDiscardedStepShouldLeaveNoTrace(String name, Way way) throws Exception {
        List<List<Batch>> steps =
                IntStream.range(0, 8).mapToObj(step -> few(way.kind(), step)).toList();
        double[] expected = CodedRank.train(SITES, way, Stretch.of(steps));
        Stretch inVain = Stretch.of(steps).discarding(0, 3, 4, 7);
        assertThat(CodedRank.train(SITES, way, inVain)).isEqualTo(expected);
    }

    // ---- What is trained

    private static OptimizerSpec sgd(double rate, double momentum, boolean isNesterov) {
        return new OptimizerSpec(
                OptimizerSpec.Kind.SGD, rate, momentum, isNesterov, 0.9, 0.999, 1e-8, 0);
    }

    private static Way way(TargetKind kind, Function<Replica, Strategy> making) {
        return new Way(kind, Compress.NONE, CodecSpec.DEFAULT, 1, making);
    }

    private static Strategy everyStep(Replica replica, OptimizerSpec rule) {
        return new EveryStep(new GradientRule(replica, replica.optimizer(rule), 0));
    }

    private static Strategy corrected(Replica replica, OptimizerSpec rule) {
        Optimizer plain = replica.optimizer(rule.withoutMomentum());
        return new EveryStep(
                GradientRule.sending(replica, plain, new LocalMomentum(replica, rule)));
    }

    private static Strategy oneBitAdam(Replica replica) {
        Optimizer adam = replica.optimizer(ADAM);
        return new EveryStep(
                GradientRule.sending(replica, adam, new OneBitAdam(replica, adam, ADAM, EXACT)));
    }

    // ---- Of which samples

    /** Each rank's part of each step. */
    private static List<List<Batch>> shared(TargetKind kind) {
        return IntStream.range(0, SHARES.size())
                .mapToObj(
                        step -> {
                            List<Integer> shares = SHARES.get(step);
                            Batch all = whole(kind, step);
                            List<Batch> own = new ArrayList<>();
                            int from = 0;
                            for (int share : shares) {
                                own.add(all.rows(from, from + share));
                                from += share;
                            }
                            return own;
                        })
                .toList();
    }

    private static Batch whole(TargetKind kind, int step) {
        return Samples.of(kind, SHARES.get(step).stream().mapToInt(n -> n).sum(), step);
    }

    /** Two samples, one and none. */
    private static List<Batch> few(TargetKind kind, int step) {
        Batch all = Samples.of(kind, 3, 50 + step);
        return List.of(all.rows(0, 2), all.rows(2, 3), all.rows(3, 3));
    }

    private static Batch repeated(Batch batch, int copies) {
        List<HostArray> inputs =
                batch.inputs().stream().map(array -> repeated(array, copies)).toList();
        return new Batch(inputs, repeated(batch.target(), copies), copies * batch.samples());
    }

    private static HostArray repeated(HostArray array, int copies) {
        long[] shape = array.shape().clone();
        shape[0] *= copies;
        HostArray all = HostArray.allocate(array.type(), shape);
        long bytes = array.data().bytes();
        for (int i = 0; i < copies; i++) {
            all.data().slice(i * bytes, bytes).copyFrom(array.data());
        }
        return all;
    }

    private static Batch withoutTargets(Batch batch) {
        HostArray none = HostArray.allocate(ElementType.INT64, batch.target().shape());
        LongBuffer targets = none.data().buffer().asLongBuffer();
        for (int i = 0; i < targets.limit(); i++) {
            targets.put(i, -1);
        }
        return new Batch(batch.inputs(), none, batch.samples());
    }

    private static void assertClose(double[] actual, double[] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).as("%d", i).isCloseTo(expected[i], within(1e-9));
        }
    }
}
