package dev.medley.control.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.job.StoreUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a store of files; S3 is under a whole run in DataStoreTest. */
@Tag("unit")
class DepotTest {
    private static final FileTime LONG_AGO = FileTime.fromMillis(1);

    @TempDir Path folder;
    private Path there;
    private Shipment shipment;

    @BeforeEach
    void write() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data/shards"));
        Files.writeString(data.resolve("0.bin"), "first");
        Files.writeString(data.resolve("1.bin"), "second");
        Files.writeString(data.resolveSibling("data.json"), "{}");
        shipment = Shipment.of("data-1", folder.resolve("data"), List.of());
        there = folder.resolve("store/data-1");
    }

    @Test
    void shouldBringWhatWasPut() throws IOException {
        put();
        Path into = Files.createDirectories(folder.resolve("into"));
        fetch(into);
        assertThat(into.resolve("shards/0.bin")).hasContent("first");
        assertThat(into.resolve("shards/1.bin")).hasContent("second");
        assertThat(into.resolve("data.json")).hasContent("{}");
    }

    @Test
    void whatComesInPartsShouldBePutAndNotBrought() throws IOException {
        shipment = shipment.inParts("shards/1.bin");
        put();
        assertThat(there.resolve("shards/1.bin")).hasContent("second");
        Path into = Files.createDirectories(folder.resolve("into"));
        fetch(into);
        assertThat(into.resolve("shards/0.bin")).hasContent("first");
        assertThat(into.resolve("shards/1.bin")).doesNotExist();
    }

    @Test
    void whatIsThereShouldNotBePutAgain() throws IOException {
        put();
        Path file = there.resolve("shards/0.bin");
        Files.setLastModifiedTime(file, LONG_AGO);
        put();
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(LONG_AGO);
    }

    /** As if the process that put it had been killed: the list comes last. */
    @Test
    void whatWasPutInPartShouldNotBeFetchedAndBePutAgain() throws IOException {
        put();
        Files.delete(there.resolve(".contents.json"));
        Files.delete(there.resolve("shards/1.bin"));
        Path into = Files.createDirectories(folder.resolve("into"));
        assertThatThrownBy(() -> fetch(into)).isInstanceOf(IOException.class);
        put();
        fetch(into);
        assertThat(into.resolve("shards/1.bin")).hasContent("second");
    }

    @Test
    void aFileThatWasChangedThereShouldBeFound() throws IOException {
        put();
        Files.writeString(there.resolve("shards/1.bin"), "secret");
        Path into = Files.createDirectories(folder.resolve("into"));
        assertThatThrownBy(() -> fetch(into))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("data-1/shards/1.bin came with SHA-256");
    }

    @Test
    void otherFilesUnderTheSameKeyShouldBeFound() throws IOException {
        put();
        Files.writeString(folder.resolve("data/more.bin"), "more");
        shipment = Shipment.of("data-1", folder.resolve("data"), List.of());
        assertThatThrownBy(this::put)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds other files than");
    }

    private void put() throws IOException {
        try (Depot depot = depot()) {
            depot.put(shipment, gone -> {});
        }
    }

    private void fetch(Path into) throws IOException {
        try (Depot depot = depot()) {
            depot.fetch(shipment, into);
        }
    }

    private Depot depot() {
        StoreUrl url = StoreUrl.of("data_store", "file://" + folder.resolve("store"));
        return Depot.at(url, name -> null);
    }
}
