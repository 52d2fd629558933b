package dev.medley.spark.ml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tells which of the example jobs learn from a DataFrame, and what is said of the others. */
@Tag("unit")
class ExampleJobsTest {
    private static final Path EXAMPLES =
            Path.of(System.getProperty("medley.root", ".."), "examples");

    @Test
    void shouldTakeTheJobsOfTables() throws IOException {
        Map<String, String> refused = new TreeMap<>();
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            for (Path job :
                    files.filter(f -> f.toString().matches(".*(?<!torchscript)\\.yaml")).toList()) {
                String text =
                        Files.readString(job)
                                .replaceAll(
                                        "\n  validation: .*", "") // A file beside the DataFrame.
                                .replace("kind: stratified, ", "");
                try {
                    JobOfParams.of(new MedleyEstimator().setJob(text), null, null);
                } catch (ConfigException e) {
                    refused.put(job.getFileName().toString(), e.getMessage());
                }
            }
        }
        assertThat(refused).isEmpty();
    }
}
