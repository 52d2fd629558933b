package dev.medley.loop.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Features that a user's class computes: what holds for queries holds for them. */
@Tag("unit")
class FeatureCodeTest {
    private static final String NAME = "com.acme.Usage";
    private static final String BODY = "return history.map(row -> row(row));";
    private static final String SQL =
            "SELECT customer, day, _known_at, _deleted, CAST(minutes AS DOUBLE) AS minutes FROM"
                    + " usage_history";

    @TempDir private Path folder;
    private DuckDb db;

    @BeforeEach
    void begin() throws Exception {
        db = DuckDb.forFiles(List.of(), folder.resolve("scratch"));
        db.execute(
                """
                CREATE TEMP VIEW usage_history AS SELECT 'c' || (n % 7) AS customer,
                DATE '2026-01-01' + CAST(n % 20 AS INTEGER) AS day,
                CASE WHEN n > 60 THEN TIMESTAMPTZ '2026-01-05 00:00:00+00' + INTERVAL (n) HOUR END
                AS _known_at, n % 11 = 0 AS _deleted, CASE WHEN n % 11 > 0 THEN n * 0.1 END AS minutes,
                TIMESTAMP '2026-01-01 10:00:00.000001' AS t, 'x'::BLOB AS raw, n AS n
                FROM range(140) r(n)\
                """);
        db.execute(
                "CREATE TEMP TABLE l AS SELECT n, 'c' || (n % 8) AS customer, TIMESTAMP"
                        + " '2026-01-01' + INTERVAL (n) HOUR AS asked FROM range(600) r(n)");
    }

    @AfterEach
    void end() throws Exception {
        db.close();
    }

    @Test
    void shouldGiveTheRowsThatAQueryGives() throws Exception {
        List<List<String>> byQuery = joined(query(SQL));
        assertThat(joined(feature(CompiledClass.usage(folder)))).isEqualTo(byQuery);
        assertThat(byQuery.stream().filter(row -> row.get(3) != null).count()).isGreaterThan(200);
    }

    @Test
    void aClassThatChangesShouldBeAnotherDefinition() throws Exception {
        Path classes = CompiledClass.usage(folder);
        String reference = feature(classes).reference();
        assertThat(reference).startsWith("usage@1#");
        assertThat(feature(jar(classes, 1)).reference()).isEqualTo(reference);
        assertThat(feature(jar(classes, 1_000_000_000_000L)).reference()).isEqualTo(reference);
        FeatureTable old = feature(jar(classes, 1));
        CompiledClass.usage(
                folder, "row.number(\"minutes\")", "row.isDeleted() ? null : row.number(\"n\")");
        assertThat(feature(classes).reference()).isNotEqualTo(reference);
        assertThat(joined(feature(classes))).isNotEqualTo(joined(query(SQL)));
        Files.copy(jar(classes, 1), folder.resolve("features.jar.new"));
        // What was read stays what is computed, whatever lies there by now.
        assertThat(old.reference()).isEqualTo(reference);
        assertThat(joined(old)).isEqualTo(joined(query(SQL)));
    }

    @Test
    void aClassThatCannotBeMadeShouldBeSaid() throws Exception {
        refused(
                "com.acme.Usge",
                "",
                "",
                "there is no class com.acme.Usge in ",
                "did you mean " + NAME);
        refused(NAME, "public class", "class", "com.acme.Usage is not public: make it so");
        refused(NAME, "public class", "public abstract class", "com.acme.Usage is abstract");
        refused(
                NAME,
                "implements FeatureCode {",
                "implements FeatureCode { public Usage(int n) {}",
                "has no public constructor without parameters");
        refused(
                NAME,
                "implements FeatureCode {",
                "implements FeatureCode { public Usage() { throw new IllegalStateException(\"no"
                        + " key\"); }",
                "the constructor of com.acme.Usage failed: IllegalStateException: no key");
        refused(
                NAME,
                "implements FeatureCode {",
                "{",
                "com.acme.Usage does not implement dev.medley.loop.feature.FeatureCode");
        assertThatThrownBy(() -> feature(folder.resolve("none.jar")))
                .hasMessageContaining("class_path: there is no jar or folder")
                .hasMessageContaining("none.jar");
        Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
        assertThatThrownBy(() -> feature(text)).hasMessageContaining("text.jar is no jar");
    }

    @Test
    void aClassThatFailsShouldBeToldWithTheRow() throws Exception {
        failed(
                "row.number(\"minutes\")",
                "1.0 / (7 / (row.whole(\"n\") - 17))",
                "features.usage: com.acme.Usage failed at row ",
                " that it read, of usage (customer=c3, day=2026-01-18): ArithmeticException: / by"
                        + " zero");
        failed(
                BODY,
                "throw new java.io.IOException(\"no net\");",
                "failed before it read a row: IOException: no net");
        failed(
                "row.number(\"minutes\")",
                "row.number(\"minute\")",
                "usage has no column 'minute'; did you mean minutes?");
        failed(
                "row.number(\"minutes\")",
                "row.number(\"customer\")",
                "usage.customer is 'c0', which is no number");
        failed(
                "row.number(\"minutes\")",
                "\"much\"",
                "gives row 1 with String in column 'minutes', which is of Double: much");
        failed(
                "row.isDeleted(),\n",
                "\n",
                "gives row 1 with 4 values, and it has 5 columns: customer, day");
        failed(
                BODY,
                "return history.map(row -> (List<Object>) null);",
                "gives row 1 with 0 values");
        failed(BODY, "return null;", "failed before it read a row: NullPointerException");
        failed(BODY, "return rows(history);", "failed before it read a row: StackOverflowError");
        failed(
                BODY,
                "history.count(); return history.map(row -> row(row));",
                "IllegalStateException: stream has already been");
        failed(
                BODY,
                "return Stream.generate(() -> Arrays.<Object>asList(\"c\", null, null, null,"
                        + " null));",
                "gives row 1,000,001 after it has read 0: does its stream ever end?");
        failed(
                BODY,
                "return history.flatMap(r -> Stream.generate(() -> Arrays.<Object>asList(\"c\","
                        + " null, null, null, null)));",
                "gives row 1,000,101 after it has read 1: does its stream ever end?");
    }

    @Test
    void guardsOfQueriesShouldHoldForClasses() throws Exception {
        failed(
                "new FeatureColumn(\"_known_at\", Instant.class)",
                "new FeatureColumn(\"known\", Instant.class)",
                "features.usage: it gives no column _known_at, so that a backfill would leak");
        failed(
                "row.value(\"day\")",
                "LocalDate.of(2026, 1, 1)",
                "have one key and both times: customer=c");
        failed(
                "new FeatureColumn(\"customer\", String.class)",
                "new FeatureColumn(\"who\", String.class)",
                "features.usage: there is no column 'customer'");
        failed(
                "new FeatureColumn(\"minutes\", Double.class)",
                "new FeatureColumn(\"Day\", Double.class)",
                "com.acme.Usage gives two columns 'Day'");
        failed(
                "new FeatureColumn(\"minutes\", Double.class)",
                "new FeatureColumn(\"minutes\", Object.class)",
                "com.acme.Usage.columns() failed: column 'minutes' is of java.lang.Object; there"
                        + " are Boolean");
    }

    private void refused(String name, String part, String other, String... words) throws Exception {
        Path classes = CompiledClass.usage(folder, part, other);
        assertThatThrownBy(() -> new FeatureClass(name, List.of(classes), List.of("usage")))
                .isInstanceOf(ConfigException.class)
                .message()
                .contains(words);
    }

    private void failed(String part, String other, String... words) throws Exception {
        FeatureTable feature = feature(CompiledClass.usage(folder, part, other));
        assertThatThrownBy(() -> joined(feature))
                .isInstanceOf(ConfigException.class)
                .message()
                .contains(words)
                .doesNotContain("\n");
    }

    private static Path jar(Path classes, long timeMs) throws Exception {
        Path jar = classes.resolveSibling("features.jar");
        try (Stream<Path> files = Files.walk(classes);
                OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
            zip.write(("Built: " + timeMs).getBytes(StandardCharsets.UTF_8));
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                ZipEntry entry = new ZipEntry(classes.relativize(file).toString());
                entry.setTime(timeMs);
                zip.putNextEntry(entry);
                zip.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }

    private static FeatureTable feature(Path classes) {
        return FeatureTable.computed(
                "usage",
                1,
                new FeatureClass(NAME, List.of(classes), List.of("usage")),
                List.of("customer"),
                "day",
                FeatureTable.KNOWN,
                Duration.ofDays(15));
    }

    private static FeatureTable query(String sql) {
        return new FeatureTable(
                "usage",
                1,
                sql,
                List.of("customer"),
                "day",
                FeatureTable.KNOWN,
                Duration.ofDays(15));
    }

    private List<List<String>> joined(FeatureTable feature) throws Exception {
        new AsOfJoin(db.connection(), "l", "asked").join(List.of(feature), "joined");
        return db.rows("SELECT * FROM joined ORDER BY n");
    }
}
