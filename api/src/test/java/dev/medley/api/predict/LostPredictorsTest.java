package dev.medley.api.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.Dataset;
import dev.medley.api.Epochs;
import dev.medley.api.Models;
import dev.medley.api.TrainedModel;
import dev.medley.api.Trainer;
import dev.medley.api.run.RunOptions;
import dev.medley.api.world.WorkerThreads;
import dev.medley.base.job.DataSpec;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.model.Prediction;
import dev.medley.training.worker.WorkerMain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Worker processes that predict are killed while they do. */
@Tag("real")
@Timeout(120)
class LostPredictorsTest {
    private static final int ROWS = 20_000;

    @TempDir private static Path folder;
    private static TrainedModel model;
    private static DataSpec data;

    @BeforeAll
    static void train() throws Exception {
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < ROWS; i++) {
            rows.append("%d,%d,%d%n".formatted(i % 97, i % 89, i % 97 < 40 ? 1 : 0));
        }
        Path table = Files.writeString(folder.resolve("t.csv"), rows);
        model =
                Trainer.builder()
                        .model(Models.linear())
                        .options(
                                RunOptions.in(folder.resolve("runs"))
                                        .startingWorkers(new WorkerThreads()))
                        .build()
                        .fit(Dataset.table(table).label("y"), Epochs.of(1));
        data = Predictor.like(model, table);
    }

    @AfterAll
    static void close() {
        model.close();
    }

    @Test
    void shouldPredictAllWhenOneOfTwoIsKilled() {
        List<Prediction> alone = predicted(1, any -> {});
        assertThat(alone).hasSize(ROWS);
        List<Prediction> all = predicted(2, first -> kill(processes().get(0)));
        assertThat(all).isEqualTo(alone);
        awaitNone();
    }

    @Test
    void shouldSayThatAllAreLost() {
        assertThatThrownBy(() -> predicted(2, first -> processes().forEach(this::kill)))
                .hasMessageContaining("all workers are lost; the last: worker")
                .hasMessageContaining("exit status 137");
        awaitNone();
    }

    private List<Prediction> predicted(int workers, Consumer<Prediction> atTheFirst) {
        List<Prediction> predictions = new ArrayList<>();
        new Predictor(model, new PredictOptions(workers, 1))
                .predict(
                        data,
                        PreparationProgress.NONE,
                        prediction -> {
                            if (predictions.isEmpty()) {
                                atTheFirst.accept(prediction);
                            }
                            predictions.add(prediction);
                        });
        return predictions;
    }

    /** A process that was killed may take a while to go; one that was not stays. */
    private static void awaitNone() {
        processes().forEach(process -> process.onExit().orTimeout(60, TimeUnit.SECONDS).join());
    }

    private static List<ProcessHandle> processes() {
        return ProcessHandle.current()
                .children()
                .filter(
                        child ->
                                child.info()
                                        .commandLine()
                                        .orElse("")
                                        .contains(WorkerMain.class.getName()))
                .toList();
    }

    private void kill(ProcessHandle process) {
        process.destroyForcibly();
        assertThat(process.onExit().orTimeout(20, TimeUnit.SECONDS)).isNotCancelled();
        process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
