package dev.medley.profile.speed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class StepTimeCacheTest {
    private static final long NOW = TimeUnit.DAYS.toMillis(20_000);

    @TempDir Path parent;
    private long wallMillis = NOW;

    @Test
    void shouldFindWhatWasKeptOfThatMachineAndThatTraining() {
        cache().keep("a machine", "a model", guess(3));
        assertThat(cache().find("a machine", "a model")).isEqualTo(guess(3));
        assertThat(cache().find("a machine", "another")).isNull();
        assertThat(cache().find("another", "a model")).isNull();
    }

    @Test
    void theNextRunShouldReplaceWhatWasKeptAndLeaveNothingElse() throws IOException {
        cache().keep("m", "t", guess(3));
        cache().keep("m", "t", guess(5));
        assertThat(cache().find("m", "t")).isEqualTo(guess(5));
        assertThat(files()).hasSize(1);
    }

    @Test
    void shouldForgetWhatIsOld() {
        cache().keep("m", "t", guess(3));
        wallMillis = NOW + TimeUnit.DAYS.toMillis(30);
        assertThat(cache().find("m", "t")).isNotNull();
        wallMillis++;
        assertThat(cache().find("m", "t")).isNull();
    }

    @Test
    void shouldTakeABrokenFileForNone() throws IOException {
        cache().keep("m", "t", guess(3));
        Path file = files().get(0);
        String whole = Files.readString(file);
        List<String> broken =
                List.of(
                        "",
                        whole.substring(0, whole.length() / 2),
                        "[1, 2]",
                        "{}",
                        whole.replace("\"format\" : 1", "\"format\" : 2"),
                        whole.replace("\"leastShare\" : 8", "\"leastShare\" : 0"),
                        whole.replace("\"steps\"", "\"stairs\""));
        for (String content : broken) {
            assertThat(content).isNotEqualTo(whole);
            Files.writeString(file, content);
            assertThat(cache().find("m", "t")).as(content).isNull();
        }
        cache().keep("m", "t", guess(4));
        assertThat(cache().find("m", "t")).as("mended by the next run").isEqualTo(guess(4));
    }

    @Test
    void shouldDropTheOldestWhereThereAreTooMany() throws IOException {
        cache().keep("oldest", "t", guess(3));
        Files.setLastModifiedTime(files().get(0), FileTime.fromMillis(1));
        for (int i = 0; i < 256; i++) {
            cache().keep("machine " + i, "t", guess(3));
        }
        assertThat(files()).hasSize(256);
        assertThat(cache().find("oldest", "t")).isNull();
        assertThat(cache().find("machine 255", "t")).isNotNull();
    }

    @Test
    void shouldDoWithoutAFolderThatCannotBeWritten() throws IOException {
        Files.writeString(parent.resolve("step-times"), "a file");
        cache().keep("m", "t", guess(3));
        assertThat(cache().find("m", "t")).isNull();
    }

    private StepTimeCache cache() {
        return new StepTimeCache(
                parent.resolve("step-times"),
                new Clock() {
                    @Override
                    public long nowNs() {
                        return 0;
                    }

                    @Override
                    public long wallMillis() {
                        return wallMillis;
                    }
                });
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(parent.resolve("step-times"))) {
            return all.toList();
        }
    }

    private static StepTimeGuess guess(double alphaNs) {
        return new StepTimeGuess(new StepTime(alphaNs, 2), 8, 32, 40, NOW);
    }
}
