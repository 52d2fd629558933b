package dev.medley.cli.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.cli.Pipeline;
import dev.medley.cli.Said;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that others wrote, and Prism between: tools/serving/conformance.sh. */
@Tag("real")
@Timeout(600)
class ForeignClientsTest {
    @TempDir private Path folder;

    @Test
    void shouldBeServedAndFindNothingWrong() throws Exception {
        assumeTrue(
                System.getenv("MEDLEY_ENGINES") != null,
                "skipped, as it takes minutes: MEDLEY_ENGINES=1 runs it (docs/serving.md)");
        String named = System.getenv("MEDLEY_CONFORMANCE");
        Path home =
                named == null
                        ? Path.of(System.getProperty("user.home"), ".cache/medley-conformance")
                        : Path.of(named);
        assumeTrue(
                Files.isExecutable(home.resolve("venv/bin/python")),
                "skipped: no clients in "
                        + home
                        + "; tools/serving/conformance.sh puts them there");
        StringBuilder text = new StringBuilder("size,shop,since,sold\n");
        for (int i = 0; i < 100; i++) {
            text.append(
                    "%d,s%d,2024-01-%02d,%s\n"
                            .formatted(i % 37, i % 4, 1 + i % 28, i % 37 < 18 ? "no" : "yes"));
        }
        Files.writeString(folder.resolve("t.csv"), text);
        Pipeline here = new Pipeline(folder);
        String job =
                here.job(
                        "job.yaml",
                        """
                        data: {train: t.csv, label: sold}
                        model: {family: mlp, hidden: [8]}
                        train: {steps: 20, batch: 16}
                        cluster: {workers: 1}
                        """);
        Said trained = here.medley("train", job);
        assertThat(trained.exitCode()).as(trained.err()).isZero();
        try (RunServer server = RunServer.of(Map.of("t", folder.resolve("runs")))) {
            Path script = Path.of("../tools/serving/conformance.sh").toAbsolutePath();
            Process process =
                    new ProcessBuilder("bash", "" + script, server.root(), "" + home)
                            .redirectErrorStream(true)
                            .start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            assertThat(said)
                    .contains("tritonclient: ", "kserve: ", "prism: ")
                    .doesNotContain("FAILED");
        }
    }
}
