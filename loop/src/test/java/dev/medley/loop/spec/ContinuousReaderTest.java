package dev.medley.loop.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file may say of learning between runs, and what is refused with its line. */
@Tag("unit")
class ContinuousReaderTest {
    @TempDir Path folder;

    private LoopSpec read(String continuous, String every, String label, String job)
            throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"),
                "name: j\ndata: {train: x, label: y}\n%s\n".formatted(job.replace(" ; ", "\n")));
        Path file =
                Files.writeString(
                        folder.resolve("a.yaml"),
                        """
                        name: a
                        sources: {things: {files: "*.csv", key: id}}
                        rows: {sql: "SELECT 1", key: id, at: t%s}
                        job: job.yaml
                        %s
                        continuous: %s
                        """
                                .formatted(label, every, continuous));
        return LoopFile.read(file);
    }

    @Test
    void shouldReadTimesAndRows() throws Exception {
        LoopSpec spec =
                read(
                        "{delay: 30s, publish: 1h, rows: 1000}",
                        "every: 24h",
                        ", label: y",
                        "model: {family: linear}");
        assertThat(spec.continuous())
                .isEqualTo(new ContinuousSpec(Duration.ofSeconds(30), Duration.ofHours(1), 1000L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{delay: 2m, publish: 1m} | a.yaml:6:1: continuous.publish: 1m is shorter than"
                        + " continuous.delay, 2m",
                "{delay: 0s, publish: 1m} | a.yaml:6:1: continuous.delay: at least 1ms",
                "{delay: 1m, publish: 24h} | a.yaml:6:1: continuous.publish: 24h is not shorter"
                        + " than every, 24h",
                "{delay: 1m, publishes: 2m} | did you mean publish?",
                "{delay: 1m} | publish",
                "{delay: soon, publish: 2m} | a time such as 30s",
                "{delay: 1m, publish: 2m, rows: 0} | rows"
            })
    void whatContradictsShouldBeRefusedWithItsPlace(String continuous, String message) {
        assertThatThrownBy(
                        () -> read(continuous, "every: 24h", ", label: y", "model: {family: mlp}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "model: {family: boosting} | model.family=boosting grows trees from all rows at"
                        + " once",
                "model: {family: forest} | use family linear or mlp",
                "model: {family: kmeans, k: 3} | kmeans",
                "model: {family: linear} ; train: {optimizer: lbfgs} | lbfgs takes all rows: use"
                        + " adamw",
                "model: {family: cnn} | model.family=cnn reads no rows of a table"
            })
    void aJobWhoseModelCannotGoOnShouldBeRefused(String job, String message) {
        assertThatThrownBy(() -> read("{delay: 1m, publish: 2m}", "every: 24h", ", label: y", job))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a.yaml:4:1: continuous: ")
                .hasMessageContaining(message);
    }

    @Test
    void itsNeedsShouldBeNamed() {
        assertThatThrownBy(
                        () ->
                                read(
                                        "{delay: 1m, publish: 2m}",
                                        "",
                                        ", label: y",
                                        "model: {family: mlp}"))
                .hasMessageContaining("nothing says how often it runs: add every:");
        assertThatThrownBy(
                        () ->
                                read(
                                        "{delay: 1m, publish: 2m}",
                                        "every: 1d",
                                        "",
                                        "model: {family: mlp}"))
                .hasMessageContaining("rows has none: add rows.label");
    }
}
