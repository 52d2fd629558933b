package dev.medley.record.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.record.ManualClock;
import dev.medley.record.entry.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class RunFolderTest {
    @TempDir Path runs;
    private final ManualClock clock = new ManualClock();

    @Test
    void shouldNameFoldersByJobAndTime() {
        RunFolder folder = RunFolder.create(runs.resolve("a/b"), "cnn", clock);
        assertThat(folder.name()).matches("cnn-20260921-\\d{4}20");
        assertThat(folder.logs()).isDirectory();
    }

    @Test
    void shouldGiveTwoRunsOfOneSecondTwoFolders() {
        List<String> names =
                List.of(
                        RunFolder.create(runs, "cnn", clock).name(),
                        RunFolder.create(runs, "cnn", clock).name(),
                        RunFolder.create(runs, "cnn", clock).name());
        assertThat(names).doesNotHaveDuplicates();
        assertThat(names.get(1)).isEqualTo(names.get(0) + "-2");
    }

    @Test
    void shouldListNewestFirstAndPassOverStrangers() throws IOException {
        RunFolder first = recorded();
        clock.passMillis(1500);
        RunFolder second = recorded();
        clock.passMillis(1500);
        RunFolder third = recorded();
        Files.createDirectory(runs.resolve("something-else"));
        Files.createFile(runs.resolve("note.txt"));
        assertThat(RunFolder.list(runs)).containsExactly(third, second, first);
        assertThat(RunFolder.list(runs.resolve("absent"))).isEmpty();
    }

    @Test
    void shouldFindWhatAUserMeans() {
        RunFolder first = recorded();
        clock.passMillis(1500);
        RunFolder second = recorded();
        assertThat(RunFolder.find(runs, "latest")).isEqualTo(second);
        assertThat(RunFolder.find(runs, first.name())).isEqualTo(first);
        assertThat(RunFolder.find(runs, "made-up")).isEqualTo(second);
        assertThat(RunFolder.find(runs, first.path().toString())).isEqualTo(first);
        assertThatThrownBy(() -> RunFolder.find(runs, "other"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no run 'other'")
                .hasMessageContaining(second.name());
    }

    @Test
    void shouldRefuseAPlaceThatCannotBeWritten() throws IOException {
        Path file = Files.createFile(runs.resolve("file"));
        assertThatThrownBy(() -> RunFolder.create(file, "cnn", clock))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("--run-dir");
        Path kernel = Path.of("/proc/sys/medley");
        assertThatThrownBy(() -> RunFolder.create(kernel, "cnn", clock))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(kernel.toString());
    }

    @Test
    void shouldRefuseAFolderThatIsNoRun() {
        assertThatThrownBy(() -> RunFolder.at(runs))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no run.json");
    }

    private RunFolder recorded() {
        try (RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock)) {
            return recorder.folder();
        }
    }
}
