package dev.medley.control.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.RoundSpec;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.base.job.StrategySpec.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
            PLAIN.as(Kind.DILOCO, RoundSpec.defaults(Kind.DILOCO).every(64), Compress.INT8);

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
        assertThat(counted(table, 1)).isEqualTo(1);
        assertThat(counted(table, 2)).isEqualTo(1);
        assertThat(counted(table, 3)).isCloseTo(1.6, within(0.1));
    }

    private static double counted(EfficiencyTable table, int seeds) {
        List<Lesson> runs =
                IntStream.range(0, seeds)
                        .boxed()
                        .flatMap(s -> Stream.of(lesson(PLAIN, s, 1), lesson(ROUNDS, s, 1.6)))
                        .toList();
        return Lessons.correct(table, runs).of(ROUNDS).counted();
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
        assertThat(Lessons.correct(Clusters.table(), elsewhere).of(ROUNDS).seeds()).isEqualTo(2);
    }

    @Test
    void runsShouldBeKeptByJobTheLatestOfEachSeed() throws IOException {
        LessonCache cache = new LessonCache(folder.resolve("kept"));
        assertThat(cache.find("job")).isEmpty();
        cache.keep("job", lesson(PLAIN, 1, 1));
        cache.keep("job", lesson(ROUNDS, 1, 0.5));
        Lesson again = lesson(PLAIN, 1, 1.1);
        cache.keep("job", again);
        cache.keep("other", lesson(PLAIN, 1, 2));
        assertThat(cache.find("job")).containsExactly(lesson(ROUNDS, 1, 0.5), again);
        for (int seed = 2; seed < 40; seed++) {
            cache.keep("job", lesson(PLAIN, seed, 1));
        }
        assertThat(cache.find("job")).hasSize(24).last().isEqualTo(lesson(PLAIN, 39, 1));
        try (Stream<Path> files = Files.list(folder.resolve("kept"))) {
            for (Path file : files.toList()) {
                Files.writeString(file, "{");
            }
        }
        assertThat(cache.find("job")).as("what cannot be read").isEmpty();
    }

    private static Lesson lesson(StrategySpec strategy, long seed, double worth) {
        return new Lesson(strategy, seed, "2026-11-22", LearningCurveTest.losses(60, worth));
    }
}
