package dev.medley.spark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.spark.LocalCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.connect.service.SparkConnectService$;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unchanged code of a real pyspark, in a Python of its own; skipped where there is none. */
@Tag("real")
class ConnectTest {
    @TempDir Path runs;

    @Test
    @Timeout(value = 400, unit = TimeUnit.SECONDS)
    void shouldTrainWhatUnchangedCodeAsksFor() throws Exception {
        Assumptions.assumeTrue(
                System.getenv("MEDLEY_ENGINES") != null,
                "skipped, as it takes minutes: MEDLEY_ENGINES=1 runs it (docs/spark.md)");
        String named = System.getenv("MEDLEY_PYSPARK");
        Path python =
                named == null
                        ? Path.of(
                                System.getProperty("user.home"),
                                ".cache/medley-spark/venv/bin/python")
                        : Path.of(named);
        Assumptions.assumeTrue(
                Files.isExecutable(python),
                "there is no pyspark in " + python + ": tools/spark/install.sh puts one there");
        SparkConnectService$.MODULE$.start(LocalCluster.shared().sparkContext());
        try {
            Path script =
                    Path.of(ConnectTest.class.getResource("/connect.py").toURI()).toAbsolutePath();
            ProcessBuilder builder =
                    new ProcessBuilder(
                                    python.toString(),
                                    script.toString(),
                                    "sc://localhost:" + SparkConnectService$.MODULE$.localPort(),
                                    runs.toString())
                            .redirectErrorStream(true);
            builder.environment().remove("SPARK_HOME");
            Process process = builder.start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            System.out.println(said);
            assertThat(process.waitFor()).as(said).isZero();
        } finally {
            SparkConnectService$.MODULE$.stop(
                    scala.Option.apply(10L), scala.Option.apply(TimeUnit.SECONDS));
        }
    }
}
