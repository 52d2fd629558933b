package dev.medley.spark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.Seeds;
import dev.medley.base.job.ClusterSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.spark.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("real")
class SparkRunTest {
    private static SparkSession session;
    @TempDir Path folder;

    @BeforeAll
    static void begin() {
        session = LocalCluster.shared();
    }

    /** With the plan of the one run the other gives the same parameters, bit for bit. */
    @ParameterizedTest
    @EnumSource(ExecutorWishes.Kind.class)
    void shouldGiveTheParametersThatOneMachineGives(ExecutorWishes.Kind launcher) throws Exception {
        Path table = folder.resolve("rows.csv");
        StringBuilder text = new StringBuilder("a,b,y\n");
        RandomGenerator random = Seeds.generator(1);
        for (int i = 0; i < 2000; i++) {
            double a = random.nextGaussian();
            double b = random.nextGaussian();
            text.append("%.4f,%.4f,%s\n".formatted(a, b, a + b > 0 ? "yes" : "no"));
        }
        Files.writeString(table, text);
        JobFile job =
                JobFile.parse(
                        "job.yaml",
                        """
                        name: x
                        data: {train: rows.csv, label: y}
                        model: mlp
                        train: {epochs: 2}
                        """,
                        folder,
                        List.of());
        RunOptions options = RunOptions.in(folder.resolve("runs"), folder.resolve("cache"));
        RunResult onSpark =
                new SparkRun(
                                new JavaSparkContext(session.sparkContext()),
                                new ExecutorWishes(2, 2, launcher))
                        .train(job.spec(), null, null, options, RunProgress.NONE);
        ClusterSpec two = job.spec().cluster().with(2, 1);
        RunResult here =
                JobRun.train(
                        job.spec().with(two),
                        options.replaying(onSpark.folder().path()),
                        RunProgress.NONE);
        assertThat(onSpark.outcome().why()).isEqualTo(here.outcome().why());
        assertThat(onSpark.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(weights(onSpark)).isEqualTo(weights(here));
    }

    private static byte[] weights(RunResult run) throws IOException {
        return Files.readAllBytes(run.folder().model().resolve("weights.safetensors"));
    }
}
