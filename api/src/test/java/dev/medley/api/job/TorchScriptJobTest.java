package dev.medley.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.Models;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.base.job.ModelSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job names a TorchScript file in short or at length, and is known by what is in it. */
@Tag("unit")
class TorchScriptJobTest {
    @TempDir Path folder;

    @BeforeEach
    void files() throws Exception {
        Files.writeString(folder.resolve("net.pt"), "a program");
        Files.writeString(folder.resolve("a.csv"), "x,y\n1,2\n");
    }

    private JobSpec job(Path at, String model) {
        String yaml = "data: {train: a.csv, label: y}\nmodel: " + model + "\n";
        return JobFile.parse("job.yaml", yaml, at, List.of()).spec();
    }

    @Test
    void shouldBeReadInShortAndAtLength() {
        ModelSpec expected = Models.torchScript(folder.resolve("net.pt"));
        JobSpec job = job(folder, "net.pt");
        assertThat(job.model()).isEqualTo(expected);
        assertThat(job(folder, "{family: torchscript, file: net.pt}").model()).isEqualTo(expected);
        assertThat(job.ownFiles()).containsExactly(folder.resolve("net.pt").toString());
        String written = JobYaml.of(job);
        JobSpec again = JobFile.parse("job.yaml", written, folder, List.of()).spec();
        assertThat(again).isEqualTo(job);
    }

    @Test
    void shouldBeKnownByItsContentWhereverItLies() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("net.pt"), "a program");
        Files.writeString(elsewhere.resolve("a.csv"), "");
        assertThat(terms(elsewhere).refusal("m", terms(folder))).isNull();
        Files.writeString(elsewhere.resolve("net.pt"), "another program");
        assertThat(terms(elsewhere).refusal("m", terms(folder))).contains("model.sha256 is ");
    }

    private JobTerms terms(Path at) {
        return ComparedJob.terms(job(at, "net.pt"), "job.yaml", List.of());
    }

    @Test
    void shouldSayWhereTheFileIsMissing() {
        assertThatThrownBy(() -> job(folder, "gone.pt"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("job.yaml:2:")
                .hasMessageContaining("there is no " + folder.resolve("gone.pt"));
        assertThatThrownBy(() -> job(folder, "{family: torchscript}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("file");
    }
}
