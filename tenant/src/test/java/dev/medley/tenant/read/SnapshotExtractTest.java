package dev.medley.tenant.read;

import static dev.medley.tenant.read.SharedTables.caller;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.medley.base.time.Clock;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.files.FilesSource;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.sync.TableSync;
import dev.medley.connect.table.ColumnType;
import dev.medley.tenant.TenantCaller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Extracts of tables that syncs have brought, with rows that changed and went. */
@Tag("real")
class SnapshotExtractTest {
    private static final TenantCaller ALICE = caller("alice", "tenant", "a");

    @TempDir Path folder;

    private void sync(String snapshot, String... lines) throws IOException {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(
                files.resolve("t.csv"), "id,tenant,n,day\n" + String.join("\n", lines) + "\n");
        FilesOptions options =
                new FilesOptions(
                        files,
                        "t.csv",
                        FileFormat.CSV,
                        List.of("id"),
                        Map.of("n", ColumnType.REAL, "day", ColumnType.DATE));
        new TableSync(
                        new FilesSource(options),
                        new SnapshotFolder(folder.resolve(snapshot)),
                        SchemaContract.USUAL,
                        Clock.system())
                .run();
    }

    private TenantTables open() throws IOException {
        return new SharedTables(folder)
                .open(
                        """
                        t: {snapshot: often, rows: "row.tenant == caller.tenant && row.n > 0.5"}
                        once: {snapshot: once, rows: "row.tenant == caller.tenant && row.n > 0.5"}
                        """,
                        "alice: {attributes: {tenant: a}}");
    }

    @Test
    void shouldShowOwnRowsOfTheLastVersionWhateverTheWayThere() throws Exception {
        sync("often", "1,a,1,2026-01-01", "2,a,2,", "3,b,3,2026-01-03", "4,a,4,2026-01-04");
        sync("often", "4,a,4.5,2026-01-04", "2,b,2,", "3,a,3,2026-01-03", "5,a,0.25,");
        sync("once", "3,a,3,2026-01-03", "5,a,0.25,", "2,b,2,", "4,a,4.5,2026-01-04");
        TenantTables tables = open();
        SharedTables shared = new SharedTables(folder);
        Extract often = shared.extract(tables, ALICE, "t", ExtractFormat.PARQUET);
        assertEquals(
                List.of("3|a|3.0|2026-01-03", "4|a|4.5|2026-01-04"), shared.rows(often.file()));
        Extract once =
                tables.extract(
                        ALICE, "once", ExtractFormat.PARQUET, folder.resolve("once-out/t.parquet"));
        assertArrayEquals(Files.readAllBytes(once.file()), Files.readAllBytes(often.file()));
    }
}
