package dev.medley.cli.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.serving.http.ServeObservers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Options of what a server does beside answering are read, and those that are none are said. */
@Tag("unit")
class BesideOptionsTest {
    @TempDir private Path folder;
    private final List<String> told = new ArrayList<>();

    @CommandLine.Command
    private static final class Given {
        @CommandLine.Mixin private BesideOptions beside = new BesideOptions();
    }

    private ServeObservers observers(String... options) {
        Given given = new Given();
        new CommandLine(given).parseArgs(options);
        return given.beside.observers(told::add);
    }

    @Test
    void shouldReadShares() {
        assertThat(BesideOptions.share("--x", "10%")).isEqualTo(0.1);
        assertThat(BesideOptions.share("--x", " 0.25 ")).isEqualTo(0.25);
        assertThat(BesideOptions.share("--x", "100%")).isEqualTo(1);
        for (String bad : List.of("", "%", "ten", "1.5", "-1%", "NaN", "101%")) {
            assertThatThrownBy(() -> BesideOptions.share("--log-sample", bad))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("--log-sample");
        }
        try (ServeObservers observers = observers("--explain-sample", "1%")) {
            assertThat(observers.explain().share()).isEqualTo(0.01);
            assertThat(observers.log()).isNull();
        }
    }

    @Test
    void shouldSayWhatDoesNotFit() {
        String file = folder.resolve("l.jsonl").toString();
        assertThatThrownBy(() -> observers("--log-mask", "a")).hasMessageContaining("need --log");
        assertThatThrownBy(() -> observers("--log", file, "--log-format", "csv"))
                .hasMessageContaining("there are jsonl and parquet");
        assertThatThrownBy(() -> observers("--log", file, "--log-file-mib", "0"))
                .hasMessageContaining("give more than 0");
        assertThatThrownBy(() -> observers("--log", file, "--log-sample", "0"))
                .hasMessageContaining("--log-sample");
        try (ServeObservers observers =
                observers("--log", file, "--log-mask", "a,b", "--log-mask", "c")) {
            assertThat(observers.log()).isNotNull();
        }
    }
}
