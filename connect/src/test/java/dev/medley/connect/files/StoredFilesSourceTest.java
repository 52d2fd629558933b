package dev.medley.connect.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.S3Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

@Tag("real")
@Timeout(300)
class StoredFilesSourceTest {
    @TempDir private Path folder;
    private S3Server server;
    private Map<String, String> environment = Map.of();
    private Synced synced;

    @BeforeEach
    void begin() throws Exception {
        server = S3Server.start();
        environment = server.environment();
        synced = new Synced(folder.resolve("t"));
    }

    @AfterEach
    void end() throws Exception {
        server.close();
    }

    @Test
    void shouldSeeObjectsThatAreNewOtherOrGone() throws IOException {
        put("orders/a.csv", "id,v\n1,a\n");
        put("orders/b.csv", "id,v\n2,b\n");
        put("orders/c.txt", "no row");
        synced.sync(source("orders/*.csv", FileFormat.CSV));
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 a", "2 b");
        assertThat(synced.sync(source("orders/*.csv", FileFormat.CSV)).rowsRead()).isZero();
        put("orders/d.csv", "id,v\n3,c\n");
        SyncReport report = synced.sync(source("orders/*.csv", FileFormat.CSV));
        assertThat(report.rowsRead()).isEqualTo(1);
        assertThat(report.why()).isEqualTo("1 new files, and no other has changed");
        put("orders/a.csv", "id,v\n1,A\n");
        report = synced.sync(source("orders/*.csv", FileFormat.CSV));
        assertThat(report.why()).isEqualTo("file a.csv has other bytes");
        assertThat(report.difference().changed()).as("of the same length").isEqualTo(1);
        delete("orders/b.csv");
        assertThat(synced.sync(source("orders/*.csv", FileFormat.CSV)).difference().gone())
                .isEqualTo(1);
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 A", "3 c");
        assertThat(synced.reconcile(source("orders/*.csv", FileFormat.CSV)).isEqual()).isTrue();
    }

    @Test
    void shouldReadParquetAndJsonAndOneObject() throws Exception {
        Path parquet = folder.resolve("p.parquet");
        try (DuckDb db = DuckDb.forFiles(List.of(), Files.createDirectory(folder.resolve("db")))) {
            db.execute(
                    "COPY (SELECT 1::BIGINT AS id, 2.5::DOUBLE AS v) TO %s (FORMAT parquet)"
                            .formatted(DuckDb.text(parquet.toString())));
        }
        try (ObjectStore store = store()) {
            store.put("deep/er/p.parquet", parquet, n -> {});
        }
        put("deep/q.json", "{\"id\": 7, \"v\": 0.12345678901234567890}\n");
        synced.sync(source("deep/**/*.parquet", FileFormat.PARQUET));
        assertThat(synced.rows()).containsExactly("1 2.5");
        Synced one = new Synced(folder.resolve("one"));
        one.sync(source("deep/q.json", FileFormat.JSON));
        assertThat(one.rows()).containsExactly("7 0.12345678901234567890");
    }

    @Test
    void shouldSayWhatIsWrongAndStayAsItWas() throws Exception {
        put("a.csv", "id,v\n1,a\n");
        synced.sync(source("*.csv", FileFormat.CSV));
        assertThatThrownBy(() -> synced.sync(source("nothing/*.csv", FileFormat.CSV)))
                .isInstanceOf(ConfigException.class);
        environment.put("AWS_SECRET_ACCESS_KEY", "hush-wrong");
        assertThatThrownBy(() -> synced.sync(source("*.csv", FileFormat.CSV)))
                .hasMessageContaining("s3://bucket/*.csv")
                .hasMessageNotContaining("hush-wrong");
        assertThat(synced.rows()).containsExactly("1 a");
    }

    private StoredFilesSource source(String pattern, FileFormat format) {
        return new StoredFilesSource(
                "s3://bucket/" + pattern,
                format,
                List.of("id"),
                Map.of(),
                folder.resolve("copies"),
                environment::get);
    }

    private ObjectStore store() {
        return ObjectStore.open(StoreUrl.of("files", "s3://bucket"), environment::get);
    }

    private void put(String name, String text) throws IOException {
        try (ObjectStore store = store()) {
            store.write(name, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void delete(String name) throws IOException {
        try (ObjectStore store = store()) {
            store.delete(name);
        }
    }
}
