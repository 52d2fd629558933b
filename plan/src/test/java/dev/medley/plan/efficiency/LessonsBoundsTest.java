package dev.medley.plan.efficiency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.forecast.Clusters;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How far a user's own runs move the figures, whatever they are. */
@Tag("property")
class LessonsBoundsTest {
    private static final EfficiencyTable TABLE = Clusters.table();
    private static final StrategySpec PLAIN = StrategySpec.defaults();

    /** The table of tests says 1.12, of one pair. */
    private static final StrategySpec MEASURED = rounds(Kind.DILOCO, 64, Compress.INT8);

    private static final StrategySpec GUESSED = rounds(Kind.DILOCO, 128, Compress.NONE);

    private static final List<StrategySpec> TAUGHT =
            List.of(
                    MEASURED,
                    GUESSED,
                    rounds(Kind.LOCAL_SGD, 16, Compress.NONE),
                    PLAIN.with(Compress.INT8));

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    private static StrategySpec rounds(Kind kind, int steps, Compress codec) {
        return PLAIN.as(kind.in(RoundSpec.defaults(kind).every(steps)), codec);
    }

    private static Lesson lesson(StrategySpec strategy, long seed, LearningCurve curve) {
        return new Lesson(strategy, 4, seed, 1_790_000_000_000L, curve);
    }

    /** Runs of any worth, most of which can be compared with some of data-parallel. */
    private static List<Lesson> drawn(RandomGenerator random) {
        List<Lesson> runs = new ArrayList<>();
        int references = 1 + random.nextInt(3);
        for (int i = 0; i < references; i++) {
            runs.add(lesson(PLAIN, i, curve(random, 0.7 + random.nextDouble())));
        }
        for (StrategySpec strategy : TAUGHT) {
            int count = random.nextInt(5);
            for (int i = 0; i < count; i++) {
                double worth = Math.pow(10, 2.4 * random.nextDouble() - 1.4);
                runs.add(lesson(strategy, random.nextInt(5), curve(random, worth)));
            }
        }
        return runs;
    }

    private static LearningCurve curve(RandomGenerator random, double worth) {
        return LearningCurveTest.losses(20 + random.nextInt(40), worth);
    }

    /** What each run of a strategy could be said to be worth, within the bounds of a figure. */
    private static DoubleSummaryStatistics said(List<Lesson> runs, StrategySpec strategy) {
        List<LearningCurve> plain =
                runs.stream().filter(r -> r.strategy().equals(PLAIN)).map(Lesson::curve).toList();
        return runs.stream()
                .filter(run -> run.strategy().equals(strategy))
                .flatMapToDouble(
                        run ->
                                plain.stream()
                                        .flatMapToDouble(
                                                of -> run.curve().worthBeside(of).stream()))
                .map(worth -> Math.max(0.05, Math.min(4, worth)))
                .summaryStatistics();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void figuresShouldLieAmongWhatRunsSaid(long seed) {
        List<Lesson> runs = drawn(Seeds.generator(seed));
        EfficiencyTable corrected = Lessons.correct(TABLE, runs);
        assertThat(corrected.entries()).hasSameSizeAs(TABLE.entries());
        for (Efficiency entry : corrected.entries()) {
            if (TABLE.entries().contains(entry)) {
                continue;
            }
            StrategySpec strategy =
                    TAUGHT.stream()
                            .filter(s -> corrected.of(s).equals(entry))
                            .findFirst()
                            .orElseThrow();
            DoubleSummaryStatistics said = said(runs, strategy);
            assertThat(entry.value()).isBetween(said.getMin() - 1e-9, said.getMax() + 1e-9);
            assertThat(entry.isGuess()).isFalse();
            assertThat(entry.seeds())
                    .isLessThanOrEqualTo(
                            (int) runs.stream().filter(r -> r.strategy().equals(strategy)).count());
            assertThat(entry.counted())
                    .isBetween(
                            Math.min(1, entry.value() / 2),
                            Math.min(entry.seeds() < 3 ? 1 : 4, entry.value()));
        }
        assertThat(Lessons.correct(corrected, runs)).as("again").isEqualTo(corrected);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theOrderOfRunsShouldNotMatter(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Lesson> runs = drawn(random);
        List<Lesson> shuffled = new ArrayList<>();
        runs.forEach(run -> shuffled.add(random.nextInt(shuffled.size() + 1), run));
        EfficiencyTable one = Lessons.correct(TABLE, runs);
        EfficiencyTable other = Lessons.correct(TABLE, shuffled);
        for (StrategySpec strategy : TAUGHT) {
            Efficiency of = one.of(strategy);
            assertThat(other.of(strategy).value()).isCloseTo(of.value(), within(1e-9));
            assertThat(other.of(strategy).counted()).isCloseTo(of.counted(), within(1e-9));
            assertThat(other.of(strategy).seeds()).isEqualTo(of.seeds());
            assertThat(other.of(strategy).origin()).isEqualTo(of.origin());
        }
    }

    /** However wrong the first ones were. */
    @ParameterizedTest
    @MethodSource("seeds")
    void eachRunMoreShouldBringTheFigureNearerToWhatItSays(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        LearningCurve plain = LearningCurveTest.losses(60, 1);
        List<Lesson> runs = new ArrayList<>(List.of(lesson(PLAIN, 0, plain)));
        for (int i = 0; i < 3; i++) {
            runs.add(lesson(GUESSED, i, curve(random, 0.4 + random.nextDouble())));
        }
        LearningCurve often = curve(random, 0.4 + random.nextDouble());
        double seen = often.worthBeside(plain).orElseThrow();
        double off = Double.POSITIVE_INFINITY;
        for (int more = 0; more < 6; more++) {
            Efficiency own = Lessons.correct(TABLE, runs).of(GUESSED);
            assertThat(own.isGuess()).isFalse();
            assertThat(own.seeds()).isEqualTo(3 + more);
            assertThat(Math.abs(own.value() - seen)).isLessThan(off);
            off = Math.abs(own.value() - seen);
            runs.add(lesson(GUESSED, 3 + more, often));
        }
        assertThat(off).isLessThan(0.5);
    }

    /** As far as either may be off: 0.2, or what the runs differ by. */
    @ParameterizedTest
    @MethodSource("seeds")
    void onlyWhatRunsDoNotBearOutShouldBeTakenFromTheTable(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        LearningCurve plain = LearningCurveTest.losses(60, 1);
        List<Lesson> runs = new ArrayList<>(List.of(lesson(PLAIN, 0, plain)));
        int count = 1 + random.nextInt(3);
        DoubleSummaryStatistics said = new DoubleSummaryStatistics();
        for (int i = 0; i < count; i++) {
            LearningCurve curve = curve(random, 0.7 + 0.8 * random.nextDouble());
            said.accept(curve.worthBeside(plain).orElseThrow());
            runs.add(lesson(MEASURED, i, curve));
        }
        double mean = said.getAverage();
        double spread = Math.max(said.getMax() - mean, mean - said.getMin());
        double known = TABLE.of(MEASURED).value();
        boolean isBorneOut = Math.abs(mean - known) <= Math.max(0.2, spread);
        assertThat(Lessons.correct(TABLE, runs).equals(TABLE)).isEqualTo(isBorneOut);
    }

    /** Evaluations of runs that broke, stood still or were of something else. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whateverWasEvaluatedShouldGiveAFigureOrNone(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Lesson> runs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            StrategySpec strategy = i < 3 ? PLAIN : TAUGHT.get(random.nextInt(TAUGHT.size()));
            LearningCurve curve = new LearningCurve(random.nextInt(4) == 0, List.of());
            int points = random.nextInt(20);
            for (int k = 0; k < points; k++) {
                double value =
                        switch (random.nextInt(8)) {
                            case 0 -> Double.NaN;
                            case 1 -> Double.POSITIVE_INFINITY;
                            case 2 -> 0;
                            default -> 3 * random.nextDouble();
                        };
                curve = curve.with(random.nextInt(10_000), value);
            }
            runs.add(lesson(strategy, random.nextInt(3), curve));
        }
        for (Efficiency entry : Lessons.correct(TABLE, runs).entries()) {
            assertThat(entry.value()).isBetween(0.05, 4.0);
            assertThat(entry.counted()).isBetween(0.025, entry.value());
        }
    }
}
