package dev.medley.connect.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.SyncStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class FilesSourceTest {
    @TempDir private Path folder;
    @TempDir private Path files;
    private Synced synced;

    @BeforeEach
    void begin() {
        synced = new Synced(folder);
    }

    @Test
    void shouldReadNewFilesAlone() throws IOException {
        write("a.csv", "id,v\n1,007\n2,\"\"\n3,\n");
        FilesSource source = csv("id");
        synced.sync(source);
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 007", "2 ", "3 -");
        write("b.csv", "v,id,w\n\"x,\ny\",4,1\n");
        SyncReport report = synced.sync(source);
        assertThat(report.readAll()).as("a new column").isTrue();
        write("c.csv", "id,v\n5,e\n");
        report = synced.sync(source);
        assertThat(report.rowsRead()).isEqualTo(1);
        assertThat(synced.rows())
                .containsExactlyInAnyOrder("1 007 -", "2  -", "3 - -", "4 x,\ny 1", "5 e -");
        assertThat(synced.sync(source).rowsRead()).isZero();
        assertThat(synced.reconcile(source).isEqual()).isTrue();
    }

    @Test
    void aPatternShouldMeanWhatItMeansToAShell() throws IOException {
        Files.createDirectories(files.resolve("deep/er"));
        write("a.csv", "id,v\n1,a\n");
        write("deep/er/b.csv", "id,v\n2,b\n");
        write(".half.csv", "id,v\n3,c\n");
        synced.sync(new FilesSource(pattern("**/*.csv")));
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 a", "2 b");
        assertThatThrownBy(() -> new FilesSource(pattern("[a")).open(SyncStart.FIRST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the pattern [a cannot be read");
    }

    private FilesOptions pattern(String text) {
        return new FilesOptions(files, text, FileFormat.CSV, List.of("id"), Map.of());
    }

    @Test
    void shouldReadAllFilesWhenOneHasOtherBytesOrIsGone() throws IOException {
        write("a.csv", "id,v\n1,a\n");
        write("b.csv", "id,v\n2,b\n");
        FilesSource source = csv("id");
        synced.sync(source);
        Files.setLastModifiedTime(files.resolve("a.csv"), FileTime.fromMillis(5));
        assertThat(synced.sync(source).readAll()).isFalse();
        write("a.csv", "id,v\n1,A\n");
        SyncReport report = synced.sync(source);
        assertThat(report.why()).isEqualTo("file a.csv has other bytes");
        assertThat(report.difference().changed()).isEqualTo(1);
        Files.delete(files.resolve("a.csv"));
        assertThat(synced.sync(source).difference().gone()).isEqualTo(1);
        assertThat(synced.rows()).containsExactly("2 b");
    }

    @Test
    void shouldConvertOnlyWhatIsNamed() throws IOException {
        write("a.csv", "id,n,at\n1,1.50,2026-01-01\n");
        FilesOptions options =
                new FilesOptions(
                        files,
                        "*.csv",
                        FileFormat.CSV,
                        List.of("id"),
                        Map.of("n", ColumnType.REAL, "at", ColumnType.DATE));
        synced.sync(new FilesSource(options));
        assertThat(synced.rows()).containsExactly("1 1.5 20454");
        write("b.csv", "id,n,at\n2,much,2026-01-01\n");
        assertThatThrownBy(() -> synced.sync(new FilesSource(options)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("b.csv")
                .hasMessageContaining("much");
    }

    @Test
    void shouldReadParquetWithItsTypes() throws Exception {
        parquet(
                "a.parquet",
                "SELECT 1 AS id, 2::UTINYINT AS u, 1.5::DECIMAL(4,2) AS n, 0.5::FLOAT AS f, true AS"
                        + " b, DATE 'infinity' AS d, TIMESTAMP '1969-12-31 23:59:59' AS t,"
                        + " '\\x00x'::BLOB AS y, [1, NULL] AS l, {'k': 'v'} AS s,"
                        + " 18446744073709551615::UBIGINT AS h");
        FilesSource source = source("*.parquet", FileFormat.PARQUET);
        synced.sync(source);
        assertThat(synced.rows().get(0))
                .startsWith("1 2 1.50 0.5 1 9223372036854775807 -1000000 ")
                .endsWith(" [1,null] {\"k\":\"v\"} 18446744073709551615");
        parquet("b.parquet", "SELECT 'one' AS id");
        assertThatThrownBy(() -> synced.sync(source))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("INTEGER in a.parquet but VARCHAR in b.parquet");
    }

    @Test
    void shouldReadJsonAsItsTexts() throws IOException {
        write("a.json", "{\"id\": 1, \"v\": \"2026-01-01\", \"a/b\": null, \"o\": {\"x\": [1]}}\n");
        write(
                "b.json",
                "[{\"id\": \"2\", \"v\": true},\n {\"id\": 12345678901234567890, \"w\": 1.5}]");
        FilesSource source = source("*.json", FileFormat.JSON);
        synced.sync(source);
        assertThat(synced.rows())
                .containsExactlyInAnyOrder(
                        "- 1 {\"x\":[1]} 2026-01-01 -",
                        "- 2 - true -",
                        "- 12345678901234567890 - - 1.5");
    }

    @Test
    void shouldSayWhatTheUserHasToChange() throws IOException {
        assertThatThrownBy(() -> synced.sync(csv("id")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no file below it");
        write("a.csv", "id,v\n1,a\n");
        assertThatThrownBy(() -> synced.sync(csv("idd")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'id'?");
        write("b.csv", "id,v\n1,a\n");
        assertThatThrownBy(() -> synced.sync(csv("id")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("[1] in 2 rows");
        Files.delete(files.resolve("b.csv"));
        write("b.csv", "id,v\n1,a,extra\n");
        assertThatThrownBy(() -> synced.sync(csv("id")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("b.csv: cannot be read");
        write("b.csv", "id,id\n");
        assertThatThrownBy(() -> synced.sync(csv("id")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has 'id' twice");
    }

    private FilesSource csv(String key) {
        return new FilesSource(
                new FilesOptions(files, "*.csv", FileFormat.CSV, List.of(key), Map.of()));
    }

    private FilesSource source(String pattern, FileFormat format) {
        return new FilesSource(new FilesOptions(files, pattern, format, List.of(), Map.of()));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(files.resolve(name), text);
    }

    private void parquet(String name, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "COPY (%s) TO '%s' (FORMAT parquet)".formatted(sql, files.resolve(name)));
        }
    }
}
