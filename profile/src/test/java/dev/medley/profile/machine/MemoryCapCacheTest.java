package dev.medley.profile.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class MemoryCapCacheTest {
    @TempDir Path folder;
    private final ManualClock clock = new ManualClock();

    @Test
    void shouldFindTheLastCapOfThatMachineAndThatTraining() {
        cache().keep("a machine", "a model", 64);
        cache().keep("a machine", "a model", 16);
        assertThat(cache().find("a machine", "a model")).hasValue(16);
        assertThat(cache().find("a machine", "another")).isEmpty();
        assertThat(cache().find("another", "a model")).isEmpty();
    }

    @Test
    void shouldForgetWhatIsAWeekOld() {
        cache().keep("m", "t", 16);
        clock.passMillis(TimeUnit.DAYS.toMillis(7));
        assertThat(cache().find("m", "t")).isPresent();
        clock.passMillis(1);
        assertThat(cache().find("m", "t")).isEmpty();
    }

    @Test
    void shouldTakeABrokenFileForNone() throws IOException {
        cache().keep("m", "t", 16);
        Path file;
        try (Stream<Path> all = Files.list(folder)) {
            file = all.findFirst().orElseThrow();
        }
        String whole = Files.readString(file);
        for (String content :
                List.of(
                        "{}",
                        whole.substring(0, whole.length() / 2),
                        whole.replace("\"format\" : 1", "\"format\" : 2"),
                        whole.replace("\"mostSamples\" : 16", "\"mostSamples\" : 0"))) {
            assertThat(content).isNotEqualTo(whole);
            Files.writeString(file, content);
            assertThat(cache().find("m", "t")).as(content).isEmpty();
        }
    }

    private MemoryCapCache cache() {
        return new MemoryCapCache(folder, clock);
    }
}
