package dev.medley.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class DataSizeTest {
    @Test
    void aLinkShouldCountAsWhatItPointsTo(@TempDir Path folder) throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("a.csv"), "12345");
        Path link = Files.createSymbolicLink(folder.resolve("link"), data);
        assertThat(DataSize.of(List.of(link.toString())))
                .isEqualTo(DataSize.of(List.of("" + data)));
        assertThat(DataSize.of(List.of(link.toString())).bytes()).isEqualTo(5);
    }
}
