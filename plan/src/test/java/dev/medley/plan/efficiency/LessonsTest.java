package dev.medley.plan.efficiency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.forecast.Clusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class LessonsTest {
    private static final StrategySpec PLAIN = StrategySpec.defaults();

    /** The table of tests says 1.12, of one pair. */
    private static final StrategySpec ROUNDS =
            PLAIN.as(Kind.DILOCO.in(RoundSpec.defaults(Kind.DILOCO).every(64)), Compress.INT8);

    @TempDir Path folder;

    @Test
    void withoutDataParallelNothingShouldBeKnown() {
        EfficiencyTable table = Clusters.table();
        assertThat(Lessons.correct(table, List.of())).isEqualTo(table);
        assertThat(Lessons.correct(table, List.of(lesson(ROUNDS, 1, 0.3)))).isEqualTo(table);
        assertThat(Lessons.correct(table, List.of(lesson(PLAIN, 1, 1)))).isEqualTo(table);
    }

    @Test
    void whatTheTableSaysShouldStayAsLongAsRunsBearItOut() {
        EfficiencyTable table = Clusters.table();
        double known = table.of(ROUNDS).value();
        List<Lesson> alike = List.of(lesson(PLAIN, 1, 1), lesson(ROUNDS, 1, known - 0.1));
        assertThat(Lessons.correct(table, alike)).isEqualTo(table);
    }

    @Test
    void whatRunsSayOtherwiseShouldTakeItsPlace() {
        EfficiencyTable table = Clusters.table();
        List<Lesson> runs = List.of(lesson(PLAIN, 1, 1), lesson(ROUNDS, 1, 0.4));
        EfficiencyTable corrected = Lessons.correct(table, runs);
        Efficiency own = corrected.of(ROUNDS);
        assertThat(own.counted()).isCloseTo(0.4, within(0.03));
        assertThat(own.isGuess()).isFalse();
        assertThat(own.why()).contains("in runs of this job: 0.4");
        assertThat(corrected.of(PLAIN)).isEqualTo(table.of(PLAIN));
        assertThat(corrected.entries()).hasSameSizeAs(table.entries());
        assertThat(Lessons.correct(corrected, runs)).as("again").isEqualTo(corrected);
    }

    /** As with the table: one run, or two, may be lucky. */
    @Test
    void onlyThreePairsShouldCountForMoreThanOne() {
        EfficiencyTable table = Clusters.table();
        for (int seeds = 1; seeds <= 3; seeds++) {
            Efficiency own = Lessons.correct(table, fast(seeds)).of(ROUNDS);
            assertThat(own.value()).isCloseTo(1.6, within(0.1));
            assertThat(own.seeds()).isEqualTo(seeds);
            assertThat(own.counted() > 1).as("%d seeds", seeds).isEqualTo(seeds == 3);
        }
        List<Lesson> oneAndThree = new ArrayList<>(fast(3));
        oneAndThree.removeIf(l -> l.strategy().equals(ROUNDS));
        oneAndThree.add(lesson(ROUNDS, 7, 1.6));
        assertThat(Lessons.correct(table, oneAndThree).of(ROUNDS).seeds())
                .as("one run beside three of data-parallel")
                .isEqualTo(1);
    }

    private static List<Lesson> fast(int seeds) {
        return IntStream.range(0, seeds)
                .boxed()
                .flatMap(s -> Stream.of(lesson(PLAIN, s, 1), lesson(ROUNDS, s, 1.6)))
                .toList();
    }

    @Test
    void whatWasMeasuredShouldTakeThePlaceOfAGuess() {
        EfficiencyTable table = Clusters.table();
        StrategySpec guessed = PLAIN.as(Kind.DILOCO.in(ROUNDS.round().every(128)), Compress.NONE);
        assertThat(table.of(guessed).isGuess()).isTrue();
        double value = table.of(guessed).value();
        List<Lesson> runs = List.of(lesson(PLAIN, 1, 1), lesson(guessed, 1, value));
        Efficiency own = Lessons.correct(table, runs).of(guessed);
        assertThat(own.isGuess()).isFalse();
        assertThat(own.value()).isCloseTo(value, within(0.03));
    }

    @Test
    void whatTheTableDoesNotTellApartShouldNotCorrectIt() {
        EfficiencyTable table = Clusters.table();
        StrategySpec batches = ROUNDS.with(ROUNDS.round().inBatchesOf(8));
        List<Lesson> runs = List.of(lesson(PLAIN, 1, 1), lesson(batches, 1, 0.3));
        assertThat(Lessons.correct(table, runs)).isEqualTo(table);
    }

    @Test
    void aRunShouldBeComparedWithThatOfItsOwnSeedIfThereIsOne() {
        List<Lesson> runs =
                List.of(lesson(PLAIN, 1, 1), lesson(PLAIN, 2, 3), lesson(ROUNDS, 1, 0.5));
        Efficiency own = Lessons.correct(Clusters.table(), runs).of(ROUNDS);
        assertThat(own.seeds()).isEqualTo(1);
        assertThat(own.value()).isCloseTo(0.5, within(0.03));
        List<Lesson> elsewhere =
                List.of(lesson(PLAIN, 1, 1), lesson(PLAIN, 2, 1), lesson(ROUNDS, 3, 0.5));
        assertThat(Lessons.correct(Clusters.table(), elsewhere).of(ROUNDS).value())
                .as("else with all")
                .isCloseTo(0.5, within(0.03));
    }

    @Test
    void runsShouldBeKeptByJobTheLongestOfEachSeed() throws IOException {
        LessonCache cache = new LessonCache(folder.resolve("kept"));
        assertThat(cache.find("job")).isEmpty();
        Lesson first = lesson(PLAIN, 1, 1);
        Lesson rounds = lesson(ROUNDS, 2, 0.5);
        cache.keep("job", rounds);
        cache.keep("job", first);
        cache.keep("other", lesson(PLAIN, 1, 2));
        assertThat(cache.find("job")).containsExactly(first, rounds);
        cache.keep("job", lesson(PLAIN, 1, LearningCurveTest.losses(3, 1)));
        assertThat(cache.find("job")).as("it broke off").containsExactly(first, rounds);
        Lesson longer = lesson(PLAIN, 1, LearningCurveTest.losses(70, 1));
        cache.keep("job", longer);
        assertThat(cache.find("job")).containsExactly(longer, rounds);
        try (Stream<Path> files = Files.list(folder.resolve("kept"))) {
            for (Path file : files.toList()) {
                Files.writeString(file, "{");
            }
        }
        assertThat(cache.find("job")).as("what cannot be read").isEmpty();
        cache.keep("job", first);
        assertThat(cache.find("job")).as("mended by the next run").containsExactly(first);
    }

    private static Lesson lesson(StrategySpec strategy, long seed, double worth) {
        return lesson(strategy, seed, LearningCurveTest.losses(60, worth));
    }

    private static Lesson lesson(StrategySpec strategy, long seed, LearningCurve curve) {
        return new Lesson(strategy, 4, seed, 1_790_000_000_000L + seed, curve);
    }
}
