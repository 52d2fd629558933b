package dev.medley.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class NamedFileTest {
    @TempDir Path folder;

    @Test
    void shouldReadAFileUpToItsLimit() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "h\u00e9llo");
        assertThat(NamedFile.text(file, 6)).isEqualTo("h\u00e9llo");
        assertThatThrownBy(() -> NamedFile.text(file, 5))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("6 bytes are more than such a file has, 5 at most");
        assertThatThrownBy(() -> NamedFile.text(folder.resolve("none"), 5))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldSayWhereAFileIsNotText() throws IOException {
        Path file = folder.resolve("latin");
        Files.write(file, "a: 1\nb: \u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> NamedFile.text(file, 100))
                .isInstanceOf(ConfigException.class)
                .hasMessage(file + ":2:4: not UTF-8 text: save the file as UTF-8");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldRefuseWhatIsNoFileAndNotWaitForIt() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        assertThatThrownBy(() -> NamedFile.bytes(pipe, 9)).hasMessageContaining("is a pipe, and");
        assertThatThrownBy(() -> NamedFile.bytes(folder, 9)).hasMessageContaining("is a folder");
        assertThatThrownBy(() -> NamedFile.bytes(Path.of("/dev/zero"), 9))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("/dev/zero: is a device");
    }
}
