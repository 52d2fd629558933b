package dev.medley.control.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class ShipmentTest {
    @TempDir Path folder;

    /** As a jar is that was built anew after a small change. */
    @Test
    void anotherFileOfTheSameNameAndLengthShouldNotBeTheSame() throws IOException {
        Path jar = Files.writeString(folder.resolve("own.jar"), "version 1");
        Shipment sent = Shipment.ofContent(jar);
        Path there = Files.createDirectories(folder.resolve("there")).resolve("own.jar");
        assertThat(sent.isAt(there)).as("nothing is there").isFalse();
        Files.writeString(there, "version 1");
        assertThat(sent.isAt(there)).isTrue();
        Files.writeString(there, "version 2");
        assertThat(sent.isAt(there)).isFalse();
    }

    @Test
    void aFolderShouldBeTheSameUnderAnotherName() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes/a"));
        Files.writeString(classes.resolve("B.class"), "b");
        Shipment sent = Shipment.ofContent(folder.resolve("classes"));
        Path copy = Files.createDirectories(folder.resolve("kept/a"));
        Files.writeString(copy.resolve("B.class"), "b");
        assertThat(sent.isAt(folder.resolve("kept"))).isTrue();
        Files.writeString(copy.resolve("B.class"), "c");
        assertThat(sent.isAt(folder.resolve("kept"))).isFalse();
    }

    /** The name of a prepared set's folder follows from what is in it. */
    @Test
    void ofAPreparedSetNamesAndLengthsShouldDo() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("train.bin"), "12345");
        Shipment sent = Shipment.of("data-1", data, List.of());
        Files.writeString(data.resolve("train.bin"), "54321");
        assertThat(sent.isAt(data)).isTrue();
        Files.writeString(data.resolve("train.bin"), "5432");
        assertThat(sent.isAt(data)).isFalse();
    }

    @Test
    void aFileShouldComeToLieBelowItsFolderHoweverThatIsWritten() throws IOException {
        Shipment sent = Shipment.ofContent(Files.writeString(folder.resolve("own.jar"), "1"));
        Path place = folder.resolve("./kept/../kept");
        assertThat(sent.below(place, "a/own.jar")).isEqualTo(place.resolve("a/own.jar"));
        assertThat(sent.below(place, "a/../own.jar")).isEqualTo(place.resolve("own.jar"));
        assertThatThrownBy(() -> sent.below(place, "../own.jar"))
                .isInstanceOf(IOException.class)
                .hasMessage("a file outside its folder: ../own.jar");
        assertThatThrownBy(() -> sent.below(place, "/etc/own.jar")).isInstanceOf(IOException.class);
    }
}
