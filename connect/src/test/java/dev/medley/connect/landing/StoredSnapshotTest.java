package dev.medley.connect.landing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.time.Clock;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.files.FilesSource;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.sync.TableSync;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.S3Server;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots that land in a real S3 server, from two machines by turns. */
@Tag("real")
@Timeout(120)
class StoredSnapshotTest {
    private static final String PLACE = "s3://bucket/loops/shop";

    @TempDir Path folder;
    private S3Server server;
    private Map<String, String> environment = Map.of();

    @BeforeEach
    void begin() throws Exception {
        server = S3Server.start();
        environment = server.environment();
        Files.createDirectories(folder.resolve("data"));
    }

    @AfterEach
    void end() throws Exception {
        server.close();
    }

    private void rows(String file, String... rows) throws IOException {
        Files.writeString(
                folder.resolve("data").resolve(file), "id,v\n" + String.join("\n", rows) + "\n");
    }

    private SnapshotFolder machine(String name) {
        return new SnapshotFolder(folder.resolve(name));
    }

    private StoredSnapshot stored(SnapshotFolder machine) {
        return StoredSnapshot.of(machine, PLACE, "orders", environment::get);
    }

    private void sync(SnapshotFolder machine) throws IOException {
        FilesOptions files =
                new FilesOptions(
                        folder.resolve("data"), "*.csv", FileFormat.CSV, List.of("id"), Map.of());
        new TableSync(new FilesSource(files), machine, SchemaContract.USUAL, Clock.system()).run();
    }

    private void landed(SnapshotFolder machine) throws IOException {
        try (StoredSnapshot stored = stored(machine)) {
            stored.pull();
            sync(machine);
            stored.push();
        }
    }

    private List<String> objects() throws IOException {
        try (ObjectStore store =
                ObjectStore.open(StoreUrl.of("snapshots", PLACE), environment::get)) {
            return store.list("").stream()
                    .filter(object -> object.bytes() > 0)
                    .map(StoredObject::name)
                    .toList();
        }
    }

    @Test
    void anotherMachineShouldGoOnWhereTheFirstStopped() throws Exception {
        SnapshotFolder first = machine("first");
        rows("a.csv", "1,a", "2,b");
        landed(first);
        assertThat(objects())
                .containsExactlyInAnyOrder("orders/manifest.json", "orders/parts/00000001.parquet");
        SnapshotFolder second = machine("second");
        rows("b.csv", "3,c");
        landed(second);
        assertThat(second.requireManifest().versions()).hasSize(2);
        landed(first);
        assertThat(first.requireManifest().latest()).isEqualTo(second.requireManifest().latest());
        assertThat(first.requireManifest().latest().rows()).isEqualTo(3);
        assertThat(folder.resolve("first/parts/00000002.parquet"))
                .hasSameBinaryContentAs(folder.resolve("second/parts/00000002.parquet"));
        // Cut off between the sync and the store: the next one puts what is missing.
        rows("c.csv", "4,d");
        sync(second);
        landed(second);
        landed(first);
        assertThat(first.requireManifest().latest().rows()).isEqualTo(4);
    }

    @Test
    void whatIsBrokenOrHasTwoHistoriesShouldBeRefused() throws Exception {
        SnapshotFolder first = machine("first");
        rows("a.csv", "1,a");
        landed(first);
        SnapshotFolder other = machine("other");
        sync(other); // Without a look at the store.
        rows("a.csv", "1,b");
        assertThatThrownBy(() -> landed(other))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("have each gone on without the other");
        try (ObjectStore store =
                ObjectStore.open(StoreUrl.of("snapshots", PLACE), environment::get)) {
            byte[] part = store.read("orders/parts/00000001.parquet");
            part[9] ^= 1;
            store.write("orders/parts/00000001.parquet", part);
            assertThatThrownBy(() -> landed(machine("fresh")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("its bytes are not those that were put there");
            store.write("orders/manifest.json", "{}".getBytes());
            assertThatThrownBy(() -> landed(machine("fresh")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("its checksum does not match its bytes");
        }
        assertThat(folder.resolve("fresh/manifest.json")).doesNotExist();
        environment.put("AWS_SECRET_ACCESS_KEY", "wrong");
        assertThatThrownBy(() -> landed(first)).hasMessageContaining("loops/shop/orders");
    }
}
