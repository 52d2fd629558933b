package dev.medley.connect.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.connect.sync.Synced;
import dev.medley.connect.table.ColumnType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of files are what is written there, or refused. */
@Tag("unit")
class FilesValuesTest {
    @TempDir private Path folder;
    @TempDir private Path files;
    private Synced synced;

    @BeforeEach
    void begin() {
        synced = new Synced(folder);
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGER, 1.5",
        "INTEGER, 1e3",
        "INTEGER, 0x10",
        "INTEGER, ' 5'",
        "INTEGER, 9223372036854775808",
        "INTEGER, true",
        "REAL, much",
        "REAL, 1e400",
        "REAL, -1e999",
        "DECIMAL, abc",
        "DECIMAL, 1e5",
        "DECIMAL, 1.",
        "BOOLEAN, 2",
        "BOOLEAN, on",
        "DATE, 2026-01-01 10:00:00",
        "DATE, 01/02/2026",
        "DATE, 2026-02-30",
        "DATE, 2026-1-5",
        "DATETIME, 2026-01-01T10:00:00Z",
        "DATETIME, 2026-01-01 10:00:00+02",
        "DATETIME, 2026-01-01 10:00:00.1234567",
        "DATETIME, 2026-01-01",
        "INSTANT, 2026-01-01T10:00:00",
        "INSTANT, 2026-01-01T10:00:00.1234567Z",
        "INSTANT, 2026-01-01"
    })
    void shouldRefuseWhatIsNotOfTheNamedType(ColumnType type, String text) throws IOException {
        Files.writeString(files.resolve("a.csv"), "id,v\n1,\"" + text + "\"\n");
        assertThatThrownBy(() -> synced.sync(csv(type)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a.csv")
                .hasMessageContaining(text);
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGER, 007, 7",
        "INTEGER, -9223372036854775808, -9223372036854775808",
        "REAL, .5, 0.5",
        "REAL, 1e3, 1000.0",
        "REAL, NaN, NaN",
        "REAL, -inf, -Infinity",
        "REAL, Infinity, Infinity",
        "DECIMAL, +1.50, 1.50",
        "DECIMAL, 123456789012345678901234567890.123456789,"
                + " 123456789012345678901234567890.123456789",
        "DECIMAL, NaN, NaN",
        "BOOLEAN, True, 1",
        "BOOLEAN, f, 0",
        "DATE, 0044-03-15 (BC), -735160",
        "DATE, infinity, 9223372036854775807",
        "DATE, -infinity, -9223372036854775808",
        "DATETIME, 1970-01-01 00:01, 60000000",
        "DATETIME, 1970-01-01T00:00:00.000001000, 1",
        "DATETIME, infinity, 9223372036854775807",
        "INSTANT, 1970-01-01T01:01+01:00, 60000000",
        "INSTANT, 1970-01-01 00:00:01Z, 1000000",
        "INSTANT, -infinity, -9223372036854775808",
        "TEXT, 2026-1-5, 2026-1-5"
    })
    void shouldReadWhatIsOfTheNamedType(ColumnType type, String text, String value)
            throws IOException {
        Files.writeString(files.resolve("a.csv"), "id,v\n1,\"" + text + "\"\n2,\n");
        synced.sync(csv(type));
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 " + value, "2 -");
    }

    @Test
    void shouldRefuseBytesInTexts() throws IOException {
        Files.writeString(files.resolve("a.csv"), "id,v\n1,abc\n");
        assertThatThrownBy(() -> synced.sync(csv(ColumnType.BYTES)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("name text");
    }

    @Test
    void shouldRefuseAKeyOfANewFileThatAnOlderOneHas() throws IOException {
        Files.writeString(files.resolve("a.csv"), "id,v\n1,a\n2,b\n");
        synced.sync(csv(ColumnType.TEXT));
        Files.writeString(files.resolve("b.csv"), "id,v\n3,c\n2,B\n");
        String said = refusal(synced);
        assertThat(said).contains("the key [id] has the value [2] in 2 rows");
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 a", "2 b");
        assertThat(refusal(new Synced(folder.resolve("anew")))).isEqualTo(said);
        Files.writeString(files.resolve("b.csv"), "id,v\n3,c\n");
        synced.sync(csv(ColumnType.TEXT));
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 a", "2 b", "3 c");
    }

    private String refusal(Synced where) {
        try {
            where.sync(csv(ColumnType.TEXT));
        } catch (ConfigException | IOException e) {
            return e.getMessage();
        }
        throw new AssertionError("not refused");
    }

    @Test
    void shouldKeepAllDigitsOfJson() throws IOException {
        Files.writeString(
                files.resolve("a.json"),
                """
                {"id": 1, "v": 0.1234567890123456789012345, "n":
                  {"x": [1.10, 12345678901234567890123, "é", null, true]}}
                {"id": 2, "v": 123456789012345678901234567890, "n": 1e5}
                {"id": 3, "v": 1.0, "n": [], "m": "a/b~c"}
                {"id": 4, "v": null, "n": "007"}
                """);
        synced.sync(json());
        assertThat(synced.rows())
                .containsExactlyInAnyOrder(
                        "1 - {\"x\":[1.10,12345678901234567890123,\"é\",null,true]}"
                                + " 0.1234567890123456789012345",
                        "2 - 1e5 123456789012345678901234567890",
                        "3 a/b~c [] 1.0",
                        "4 - 007 -");
        assertThat(synced.reconcile(json()).isEqual()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"id\": 1}, 7] | no object",
                "{\"id\": 1, \"id\": 2} | Duplicate",
                "{\"id\": 1 | cannot be read",
                "7 | no object"
            })
    void shouldRefuseJsonThatIsNoRows(String text, String why) throws IOException {
        Files.writeString(files.resolve("a.json"), text);
        assertThatThrownBy(() -> synced.sync(json()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a.json")
                .hasMessageContaining(why);
    }

    private FilesSource json() {
        return new FilesSource(
                new FilesOptions(files, "*.json", FileFormat.JSON, List.of("id"), Map.of()));
    }

    private FilesSource csv(ColumnType type) {
        return new FilesSource(
                new FilesOptions(files, "*.csv", FileFormat.CSV, List.of("id"), Map.of("v", type)));
    }
}
