package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.DataParallel;
import dev.medley.api.Dataset;
import dev.medley.api.Epochs;
import dev.medley.api.Models;
import dev.medley.api.Trainer;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
@Timeout(120)
class EarlierRunsTest {
    private static final int ROWS = 3_000;

    @TempDir Path folder;

    @Test
    void theNextRunShouldBeginWithGuessesAndSayThatTheyAreOrDoWithout() throws IOException {
        Path table = table();
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        Path kept = folder.resolve("cache/step-times");

        assertThat(firstPlan(table, options.withoutGuesses())).endsWith("by measured speed");
        assertThat(kept).doesNotExist();

        assertThat(firstPlan(table, options)).endsWith("by measured speed");
        assertThat(kept).isDirectoryContaining("glob:**.json");

        assertThat(firstPlan(table, options))
                .contains("by measured speed; guessed from earlier runs: worker-1 takes ")
                .contains("worker-2 takes ");
    }

    private String firstPlan(Path table, RunOptions options) {
        RunResult run =
                Trainer.builder()
                        .model(Models.mlp(16))
                        .strategy(DataParallel.workers(2).balanced())
                        .batch(100)
                        .options(options)
                        .build()
                        .run(Dataset.table(table).label("y"), Epochs.of(1));
        assertThat(run.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        return RunRecord.read(run.folder()).plans().get(0).plan().why();
    }

    private Path table() throws IOException {
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < ROWS; i++) {
            rows.append("%d,%d,%d%n".formatted(i % 97, i % 89, i % 97 < 40 ? 1 : 0));
        }
        return Files.writeString(folder.resolve("t.csv"), rows);
    }
}
