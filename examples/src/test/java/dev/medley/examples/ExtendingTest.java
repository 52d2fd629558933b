package dev.medley.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.Seeds;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/extending.md is right: its code is that of the examples, and its job trains. */
class ExtendingTest {
    private static final Path ROOT = Path.of(System.getProperty("medley.root", ".."));
    private static final Pattern CODE = Pattern.compile("```(java|yaml)\n(.*?)```", Pattern.DOTALL);

    @Test
    @Tag("unit")
    void thePageShouldShowTheCodeThatIsCompiled() throws IOException {
        List<String> sources;
        try (Stream<Path> files =
                Files.walk(ROOT.resolve("examples/src/main/java")).filter(Files::isRegularFile)) {
            sources = files.map(ExtendingTest::text).toList();
        }
        List<String> shown = blocks("java");
        assertThat(shown).hasSize(5);
        assertThat(shown)
                .allSatisfy(code -> assertThat(sources).anyMatch(text -> text.contains(code)));
    }

    @Test
    @Tag("real")
    void itsJobShouldTrain(@TempDir Path folder) throws IOException {
        RandomGenerator random = Seeds.generator(7);
        StringBuilder table = new StringBuilder("a,b,churn\n");
        for (int i = 0; i < 600; i++) {
            double a = random.nextGaussian();
            table.append(a).append(',').append(random.nextGaussian());
            table.append(a > 1 ? ",yes\n" : ",no\n");
        }
        Files.writeString(folder.resolve("customers.csv"), table);
        List<String> settings =
                List.of(
                        "cluster={workers: 1, java_options: ['-XX:TieredStopAtLevel=1']}",
                        "train.batch=32",
                        "train.class_weights=balanced");
        JobFile job = JobFile.parse("own.yaml", blocks("yaml").get(0), folder, settings);
        RunResult result =
                JobRun.train(
                        job.spec(),
                        RunOptions.in(folder.resolve("runs"), folder.resolve("cache")),
                        RunProgress.NONE);
        assertThat(result.outcome().kind())
                .as(result.outcome().why())
                .isEqualTo(RunOutcome.Kind.COMPLETED);
        List<EvaluationRecord> evaluations = RunRecord.read(result.folder()).evaluations();
        assertThat(evaluations).hasSize(4);
        List<MetricValue> last = evaluations.get(3).metrics();
        assertThat(last).extracting(MetricValue::name).containsExactly("auc", "lift_at_10");
        assertThat(last.get(0).value()).isGreaterThan(0.95);
        assertThat(last.get(1).value()).isGreaterThan(3);
    }

    private static List<String> blocks(String language) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/extending.md"));
        return CODE.matcher(page)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
