package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known before a run begins is said before, and leaves no folder of a run. */
@Tag("unit")
class RefusedRunTest {
    @TempDir Path folder;

    private void table(int rows, String header, String row) throws IOException {
        StringBuilder text = new StringBuilder(header).append('\n');
        for (int i = 0; i < rows; i++) {
            text.append(row.formatted(i % 7, i % 3, i % 2)).append('\n');
        }
        Files.writeString(folder.resolve("t.csv"), text, StandardCharsets.UTF_8);
    }

    private void refused(String yaml, RunOptions options, String message) {
        assertThatThrownBy(
                        () ->
                                JobRun.train(
                                        JobFile.parse("j.yaml", yaml, folder, List.of()).spec(),
                                        options,
                                        RunProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"), folder.resolve("cache"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{family: boosting, monotone: {town: increasing}} | {} | model.monotone: column"
                    + " 'town' is a category, which neither rises nor falls; name numbers, which"
                    + " are: n",
                "{family: boosting, monotone: {m: increasing}} | {} | model.monotone: there is no"
                        + " number 'm' among what is learnt from",
                "linear | {optimizer: lbfgs, loss: hinge} | train.loss=hinge does not go with"
                        + " optimizer lbfgs",
                "linear | {optimizer: lbfgs, label_smoothing: 0.1} | train.label_smoothing=0.1 has"
                        + " no meaning for optimizer lbfgs",
                "mlp | {loss: squared-hinge, label_smoothing: 0.1} | train.label_smoothing=0.1 goes"
                        + " with cross-entropy, but the loss is squared-hinge",
            })
    void aTableShouldBeRefusedBeforeItsRunBegins(String model, String train, String message)
            throws IOException {
        table(60, "n,town,y", "%d,town%d,c%d");
        refused(
                "data: {train: t.csv, label: y}\nmodel: %s\ntrain: %s\n".formatted(model, train),
                options(),
                message);
    }

    @Test
    void smoothLabelsOfNumbersShouldBeRefused() throws IOException {
        table(60, "y,n,town", "%d.5,%d,town%d");
        refused(
                "data: {train: t.csv, label: y}\nmodel: mlp\ntrain: {label_smoothing: 0.1}\n",
                options(),
                "train.label_smoothing=0.1 goes with cross-entropy, but the loss is"
                        + " mean-squared-error");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "label: left, series: {time: day, by: left, look_back: 4} | data.label=left: it is"
                        + " in data.series.by, too",
                "label: left, series: {time: left, by: who, look_back: 4} | data.label=left: it is"
                        + " data.series.time, too",
                "label: left, series: {time: day, by: who, columns: [left], look_back: 4} |"
                        + " data.label=left: it is in data.series.columns, too",
                "label: left, task: counts, series: {time: day, by: who, look_back: 4} |"
                        + " data.task=counts: counts are learnt of rows of a table",
            })
    void aLabelOfSequencesShouldBeNothingElse(String data, String message) {
        refused("data: {train: t.csv, %s}\nmodel: gru\n".formatted(data), options(), message);
    }

    @Test
    void aUserThatIsNoColumnShouldBeNamedAsOne() throws IOException {
        table(60, "u,i,y", "u%d,i%d,%d");
        refused(
                "data: {train: t.csv, label: y}\n"
                        + "model: {family: factorization, user: who, item: i}\n",
                options(),
                "model.user, model.item or data.table.columns=who: ");
    }

    @Test
    void textsThatAreAllEmptyShouldBeRefused() throws IOException {
        table(60, "note,y,z", ",a%3$d,%2$d");
        refused(
                "data: {train: t.csv, label: y, text: {column: note}}\n"
                        + "model: {family: transformer, form: encoder}\n",
                options(),
                "column 'note' (data.text.column): has no text in any row");
    }

    @Test
    void aKeyOfAnotherFamilyShouldNotBeOfferedAgain() throws IOException {
        table(60, "n,m,y", "%d,%d,%d");
        refused(
                "data: {train: t.csv, label: y}\nmodel: {family: mlp, lora: {rank: 4}}\n",
                options(),
                "unknown key model.lora; it goes with model of another kind; this one has the"
                        + " keys");
    }

    @ParameterizedTest
    @CsvSource({"als", "sgd"})
    void aStrengthThatIsNoneShouldBeNamedWithItsRow(String solver) throws IOException {
        table(60, "u,i,y", "u%d,i%d,%d");
        refused(
                ("data: {train: t.csv, label: y}\nmodel: {family: factorization, user: u, item: i,"
                                + " feedback: implicit, solver: %s}\n")
                        .formatted(solver),
                options(),
                "t.csv, row 1 (line 2), column 'y' (model.feedback: implicit): the label 0 is not a"
                        + " number above 0, which says how strongly a user took an item (30 such"
                        + " rows)");
    }

    @Test
    void aFitByAllSamplesShouldBeRefusedCodes() throws IOException {
        table(60, "n,town,y", "%d,town%d,c%d");
        refused(
                "data: {train: t.csv, label: y, table: {one_hot_limit: 2}}\nmodel: linear\n"
                        + "train: {optimizer: lbfgs}\n",
                options(),
                "train.optimizer=lbfgs takes a table of numbers and one-hot categories");
    }

    @Test
    void centresThatNoMemoryHoldsShouldBeRefused() throws IOException {
        table(60, "word,m,k", "w%d,%d,%d");
        refused(
                "data: {train: t.csv, table: {hashed: [word], hash_bits: 12}}\n"
                        + "model: {family: kmeans, k: 40, restarts: 1000}\n",
                options(),
                "model.k=40: with 4,098 features and 1000 restarts a fit remembers");
    }

    @Test
    void aPlaceForCheckpointsThatIsNoneShouldBeRefused() throws IOException {
        table(60, "n,m,y", "%d,%d,%d");
        Path file = Files.writeString(folder.resolve("file"), "");
        refused(
                "data: {train: t.csv, label: y}\nmodel: linear\n",
                options().rescuingTo(file),
                file.toString());
    }
}
