package dev.medley.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.spark.ml.MedleyEstimator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class LostExecutorTest {
    private static final int ROWS = 20_000;
    private static final int EPOCHS = 8;

    @TempDir Path folder;

    /**
     * For some minutes its executors copy blocks to the one that is gone: others take a new one.
     */
    @AfterAll
    static void stop() {
        LocalCluster.shared().stop();
    }

    @Test
    @Timeout(value = 240, unit = TimeUnit.SECONDS)
    void shouldLoseNoSampleWithAnExecutor() throws Exception {
        Dataset<Row> rows =
                LocalCluster.shared()
                        .range(0, ROWS, 1, 6)
                        .selectExpr("randn(1) AS a", "randn(2) AS b")
                        .selectExpr("a", "b", "a + 2 * b AS y");
        Path runs = folder.resolve("runs");
        CompletableFuture<Void> killer =
                CompletableFuture.runAsync(
                        () -> {
                            awaitStep(runs, 100);
                            LocalCluster.executors().get(0).destroyForcibly();
                        });
        new MedleyEstimator()
                .setJob(
                        "name: lost\ndata: {label: y, task: regression, split: 0}\nmodel: mlp\n"
                                + "train: {epochs: %d, batch: 64}\n".formatted(EPOCHS))
                .setNumWorkers(2)
                .setRunsFolder(runs.toString())
                .fit(rows);
        killer.get(1, TimeUnit.SECONDS);
        RunFolder run = only(runs);
        RunRecord record = RunRecord.read(run);
        RunSummary summary = RunRecord.summary(run);
        assertThat(summary.samples()).isEqualTo((long) ROWS * EPOCHS);
        List<String> events = record.events().stream().map(RunEvent::message).toList();
        assertThat(events).anyMatch(event -> event.contains("lost"));
    }

    private static void awaitStep(Path runs, long step) {
        while (true) {
            try {
                if (Files.isDirectory(runs) && RunRecord.read(only(runs)).steps().size() >= step) {
                    return;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            } catch (RuntimeException e) {
                // The run has no record yet.
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static RunFolder only(Path runs) throws Exception {
        try (Stream<Path> all = Files.list(runs)) {
            return RunFolder.at(all.findFirst().orElseThrow());
        }
    }
}
