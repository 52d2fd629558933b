package dev.medley.training.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.RoundSpec.Outer;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.tensor.Torch;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.strategy.ByHeart;
import dev.medley.training.strategy.Gate;
import dev.medley.training.strategy.Part.Patience;
import dev.medley.training.strategy.QuorumRank;
import dev.medley.training.strategy.QuorumRanks;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rounds of workers against one process that never exchanges. To first order in the inner rate a
 * round is a step of the common rule along the mean gradient of all samples, times inner rate and
 * mean number of inner steps: so a certain single process is as far after as many steps. What is
 * left is of second order, how far gradients change within a round, and is allowed for as a part of
 * the steps.
 */
@Tag("real")
class RoundsAgainstOneProcessTest {
    /** Of rounds of five, two and one batch of 16: (80 x 5 + 32 x 2 + 16 x 1) / 128. */
    private static final double MEAN_STEPS = 3.75;

    private static final List<String> SITES = List.of("east", "east", "west");

    /** What each takes of each quarter of the samples. */
    private static final List<List<Batch>> QUARTERS =
            List.of(ofEachQuarter(0, 14), ofEachQuarter(14, 24), ofEachQuarter(24, 32));

    private static final List<Batch> ALL = List.of(ByHeart.rows(0, ByHeart.SAMPLES));

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /**
     * Four steps by 0.15 between two averages; one process takes each step with the samples of all
     * three. Gradients of batches of eight to fourteen change much within a round, so a quarter of
     * the steps more or less.
     */
    @Test
    void averagesOfFourStepsShouldLearnWhatOneProcessLearns() throws Exception {
        OptimizerSpec rule = sgd(0.15);
        RoundSpec average = RoundSpec.defaults(Kind.LOCAL_SGD);
        int rounds = 480;
        List<Double> one = ByHeart.alone(rule, ofEachQuarter(0, 32), 4 * 360, 4 * 600);
        double apart = ByHeart.alone(rule, QUARTERS.get(0), 4 * rounds).get(0);
        try (RanksOnThreads three = new RanksOnThreads(3)) {
            double learnt =
                    ByHeart.together(
                            three,
                            QUARTERS,
                            rounds,
                            replica ->
                                    new LocalSteps(replica, replica.optimizer(rule), average, 0));
            assertLearnt(learnt, one, apart);
        }
    }

    /**
     * Averages that do not wait for the third in every second round. What it did then comes a round
     * later, beside what is fresh, through a gate that lets all of it pass. In two rounds of four
     * steps its samples are worth 2 x 4 / 40 each, those of the others 4 / 24 + 4 / 40, and in one
     * process 8 / 32: a fifth less and a fifteenth more, which nearly makes up for it. So a tenth
     * of the steps more or less.
     */
    @Test
    void averagesOfAQuorumShouldLearnWhatOneProcessLearns() throws Exception {
        OptimizerSpec rule = sgd(0.2);
        RoundSpec average =
                RoundSpec.defaults(Kind.LOCAL_SGD)
                        .waitingFor(QuorumSpec.of(2).waiting(0).gating(0, 1000));
        int rounds = 300;
        List<Double> one =
                ByHeart.alone(rule, ofEachQuarter(0, 32), rounds * 36 / 10, rounds * 44 / 10);
        double withoutLate = ByHeart.alone(rule, ofEachQuarter(0, 24), 4 * rounds).get(0);
        List<Gate> gates = Stream.generate(() -> new Gate(2)).limit(rounds).toList();
        List<Double> learnt =
                QuorumRanks.play(
                        3,
                        (group, collective) ->
                                new QuorumRank(
                                        group,
                                        collective,
                                        r -> new QuorumSteps(r, r.optimizer(rule), average, 0),
                                        ByHeart.replica(),
                                        ByHeart.SAMPLES),
                        (worker, rank) -> {
                            everySecondLate(worker, gates, QUARTERS.get(rank), rank == 2);
                            return ByHeart.loss(worker.replica);
                        });
        assertThat(learnt).as("equal everywhere").hasSize(3).containsOnly(learnt.get(0));
        assertLearnt(learnt.get(0), one, withoutLate);
    }

    private static IntFunction<Batch> late(Gate gate, List<Batch> own, boolean isSlow) {
        return isSlow ? gate.slow(own::get, 3) : gate.fast(own::get, 3);
    }

    private static void everySecondLate(
            QuorumRank worker, List<Gate> gates, List<Batch> own, boolean isSlow) {
        List<Integer> counts = List.of(4, 4, 4);
        for (int step = 1; step <= gates.size(); step++) {
            Gate gate = gates.get(step - 1);
            boolean isMissed = step % 2 == 1;
            RoundTable table =
                    worker.round(
                            step,
                            isMissed ? Patience.NONE : Patience.ALL,
                            counts,
                            isMissed ? late(gate, own, isSlow) : own::get);
            assertThat(table.row(2).isLate()).isEqualTo(isMissed);
            gate.passed();
        }
    }

    /**
     * Five, two and one step: one process takes Nesterov's steps, a tenth more or less. What levels
     * or factors of one column leave out comes with later rounds, a small part of some hundred. Of
     * factors it is the largest part, so that momentum must not carry it on: more than 0.3 is
     * refused.
     */
    @ParameterizedTest
    @CsvSource({
        "NONE, 0.7, 0.9, 0.03, 400",
        "INT8, 0.7, 0.9, 0.03, 400",
        "INT4, 1, 0.5, 0.1, 400",
        "POWERSGD, 0.7, 0.3, 0.15, 400"
    })
    void unequalNumbersOfStepsShouldLearnWhatOneProcessLearns(
            Compress codec, double outerRate, double outerMomentum, double rate, int rounds)
            throws Exception {
        RoundSpec diloco = RoundSpec.defaults(Kind.DILOCO).outer(outerRate, outerMomentum);
        OptimizerSpec common =
                new OptimizerSpec(
                        OptimizerSpec.Kind.SGD,
                        outerRate * MEAN_STEPS * rate,
                        outerMomentum,
                        true,
                        0.9,
                        0.999,
                        1e-8,
                        0);
        assertUnequal(diloco, codec, rate, common, rounds);
    }

    /**
     * Four fragments one after another, each of which travels for one of the four steps of a round.
     * Where gradients change little, all move by V steps along them in a round, and theta by that
     * too, which is K = eta / (1 - mu) times what left. A worker is c ahead of theta when a
     * fragment has landed, and c + H - o when it leaves again, of which it keeps half with the o
     * steps that it takes meanwhile:
     *
     * <pre>
     *     V = K (c + H - o),   c = (c + H - V) / 2,   so V = (2 H - o) K / (1 + K)
     * </pre>
     *
     * <p>With the usual common step K is 7, and V 49 / 8: one process takes four steps in the place
     * of a round, each 49 / 32 as long. Workers that keep half of their own ways are further apart
     * than others, so a quarter of the steps more or less.
     */
    @ParameterizedTest
    @EnumSource(names = {"INT8", "INT4"})
    void fragmentsShouldLearnWhatOneProcessLearns(Compress codec) throws Exception {
        OptimizerSpec rule = sgd(0.15);
        int rounds = 230;
        StreamSpec fragments = new StreamSpec(4, 1);
        RoundSpec diloco = RoundSpec.defaults(Kind.DILOCO).streaming(fragments);
        List<List<Batch>> own = List.of(fourOf(0, 56), fourOf(56, 96), fourOf(96, 128));
        OptimizerSpec longer = sgd(0.15 * 49 / 32);
        List<Double> one = ByHeart.alone(longer, ALL, 3 * rounds, 5 * rounds);
        double apart = ByHeart.alone(longer, own.get(0), 4 * rounds).get(0);
        try (RanksOnThreads three = new RanksOnThreads(SITES, codec, CodecSpec.DEFAULT)) {
            double learnt =
                    ByHeart.together(
                            three,
                            own,
                            rounds,
                            new ByHeart.Way(fragments.fragments(), 0),
                            replica ->
                                    new StreamedSteps(replica, replica.optimizer(rule), diloco, 0));
            assertLearnt(learnt, one, apart);
        }
    }

    /**
     * Adam along D = c g is Adam along g with an epsilon that is c times smaller: one process takes
     * such steps, a tenth more or less.
     */
    @Test
    void adamAsTheCommonStepShouldLearnWhatOneProcessLearns() throws Exception {
        double rate = 0.06;
        RoundSpec adam = RoundSpec.defaults(Kind.DILOCO).outer(Outer.ADAM, 0.2, 0.9);
        OptimizerSpec common =
                new OptimizerSpec(
                        OptimizerSpec.Kind.ADAM,
                        adam.outerRate(),
                        0,
                        false,
                        adam.outerMomentum(),
                        0.95,
                        0.1 / (MEAN_STEPS * rate),
                        0);
        assertUnequal(adam, Compress.NONE, rate, common, 600);
    }

    private static void assertUnequal(
            RoundSpec round, Compress codec, double innerRate, OptimizerSpec common, int rounds)
            throws Exception {
        OptimizerSpec inner = sgd(innerRate);
        List<List<Batch>> own = List.of(sixteens(0, 5), sixteens(5, 7), sixteens(7, 8));
        List<Double> one = ByHeart.alone(common, ALL, rounds * 9 / 10, rounds * 11 / 10);
        double apart = ByHeart.alone(common, List.of(ByHeart.rows(0, 80)), rounds).get(0);
        try (RanksOnThreads three = new RanksOnThreads(SITES, codec, CodecSpec.DEFAULT.ofRank(1))) {
            double learnt =
                    ByHeart.together(
                            three,
                            own,
                            rounds,
                            new ByHeart.Way(0, codec == Compress.POWERSGD ? 1 : 0),
                            replica -> new LocalSteps(replica, replica.optimizer(inner), round, 0));
            assertLearnt(learnt, one, apart);
        }
    }

    /** As much as one process after fewer steps, which nobody learns without the others. */
    private static void assertLearnt(double learnt, List<Double> one, double apart) {
        assertThat(one.get(0)).as("it learns").isLessThan(0.5 * ByHeart.before());
        assertThat(learnt).isBetween(one.get(1), one.get(0));
        assertThat(apart).as("who has most samples, alone").isGreaterThan(1.25 * one.get(0));
    }

    private static OptimizerSpec sgd(double rate) {
        return OptimizerSpec.defaults(OptimizerSpec.Kind.SGD).withLearningRate(rate);
    }

    /** Of each quarter of the samples, which are what all take at a time, these. */
    private static List<Batch> ofEachQuarter(int from, int to) {
        return IntStream.range(0, 4)
                .mapToObj(quarter -> ByHeart.rows(32 * quarter + from, 32 * quarter + to))
                .toList();
    }

    private static List<Batch> fourOf(int from, int to) {
        return Collections.nCopies(4, ByHeart.rows(from, to));
    }

    private static List<Batch> sixteens(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> ByHeart.rows(16 * i, 16 * (i + 1))).toList();
    }
}
