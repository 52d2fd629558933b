package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.JobYaml;
import dev.medley.api.job.Settings;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data in place of a job file. */
@Tag("unit")
class DataJobTest {
    @TempDir Path folder;
    private Path table = Path.of("");

    @BeforeEach
    void write() throws IOException {
        table = Files.writeString(folder.resolve("my data.csv"), "a,'y 1'\nu,2\nv,3\n");
    }

    @Test
    void theJobSavedToAFileShouldBeTheSameJob() throws IOException {
        List<String> overrides = List.of("train.batch=8", "train.metrics=[auc]", "cluster=2");
        JobSpec made = jobOf(table, "'y 1'", "linear", Settings.of(overrides)).spec();
        assertThat(made.name()).isEqualTo("my-data");
        assertThat(made.data().label()).isEqualTo("'y 1'");
        assertThat(made.train().batch()).isEqualTo(8);
        Path saved = Files.createDirectory(folder.resolve("elsewhere")).resolve("job.yaml");
        Files.writeString(saved, JobYaml.brief(made));
        assertThat(JobFile.read(saved, List.of()).spec()).isEqualTo(made);
        Files.writeString(saved, JobYaml.commented(made));
        assertThat(JobFile.read(saved, List.of()).spec()).isEqualTo(made);
    }

    @Test
    void theFamilyShouldSuitTheData() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "some words");
        Path pictures = Files.createDirectories(folder.resolve("pictures/cat")).getParent();
        Files.write(pictures.resolve("cat/1.png"), new byte[8]);
        assertThat(family(jobOf(table, "a", null, Settings.NONE))).isEqualTo("mlp");
        assertThat(family(jobOf(text, null, null, Settings.NONE))).isEqualTo("transformer");
        assertThat(family(jobOf(text, "some words", null, Settings.NONE))).isEqualTo("mlp");
        assertThat(family(jobOf(pictures, null, null, Settings.NONE))).isEqualTo("cnn");
        assertThatThrownBy(() -> jobOf(pictures, "y", null, Settings.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds images, which have their labels");
    }

    @Test
    void whatIsWrongShouldBeSaidBeforeAnythingIsRead() {
        assertThatThrownBy(() -> jobOf(table, "a", "mpl", Settings.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean mlp?")
                .hasMessageContaining("transformer");
        assertThatThrownBy(() -> jobOf(folder.resolve("none.csv"), "a", null, Settings.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> jobOf(table, null, null, Settings.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--label")
                .hasMessageContaining("a, 'y 1'");
    }

    @Test
    void jobFilesShouldNotBeTakenForData() throws IOException {
        assertThat(DataJob.isData("x/DATA.CSV.gz")).isTrue();
        assertThat(DataJob.isData("train-images-idx3-ubyte")).isTrue();
        assertThat(DataJob.isData("job")).isFalse();
        assertThat(DataJob.isData("job.json")).isFalse();
        assertThat(DataJob.isData(folder.toString())).isTrue();
        Files.writeString(folder.resolve("job.yml"), "");
        assertThat(DataJob.isData(folder.toString())).isFalse();
    }

    private static String family(JobFile job) {
        return job.spec().model().family();
    }

    private static JobFile jobOf(
            Path data, @Nullable String label, @Nullable String model, Settings settings) {
        return DataJob.of(data.toString(), label, model, settings, PreparationProgress.NONE);
    }
}
