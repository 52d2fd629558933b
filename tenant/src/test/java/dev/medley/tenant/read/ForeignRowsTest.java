package dev.medley.tenant.read;

import static dev.medley.tenant.read.SharedTables.CANARY;
import static dev.medley.tenant.read.SharedTables.caller;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.medley.base.job.StoreUrl;
import dev.medley.iceberg.WrittenTable;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.S3Server;
import dev.medley.tenant.TenantCaller;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Extracts of tables of another database, of Iceberg and of an object store. */
@Tag("real")
@Timeout(120)
class ForeignRowsTest {
    private static final TenantCaller ALICE = caller("alice", "tenant", "a");
    private static final TenantCaller BOB = caller("bob", "tenant", "b");
    private static final String CALLERS =
            "alice: {attributes: {tenant: a}}\nbob: {attributes: {tenant: b}}";
    private static final String OWN =
            "(1, 'a', 'x', 1234.56, DATE '2026-01-02'), (3, 'a', NULL, 7.00, NULL)";
    private static final String OTHERS =
            "(2, 'b', '%1$s', 99.99, DATE '2026-01-03'), (4, NULL, '%1$s', 1.00, NULL)"
                    .formatted(CANARY);
    private static final String POLICY =
            "rows: row.tenant == caller.tenant && row.pay < 2000, masks: [{columns: pay, with:"
                    + " {round: -2}}, {columns: mail, unless: caller.tenant == 'a', with: hash}]";

    @TempDir Path folder;
    private SharedTables shared;

    @BeforeEach
    void begin() throws Exception {
        shared = new SharedTables(folder);
    }

    private String database(String name, String rows) throws Exception {
        String url = "jdbc:duckdb:" + folder.resolve(name + ".db");
        sql(
                url,
                "CREATE TABLE people (id INTEGER, tenant VARCHAR, mail VARCHAR, pay DECIMAL(9,2),"
                        + " day DATE)",
                "INSERT INTO people VALUES " + rows);
        return url;
    }

    private static void sql(String url, String... statements) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private byte[] extracted(TenantTables tables, TenantCaller caller) throws Exception {
        return Files.readAllBytes(
                shared.extract(tables, caller, "people", ExtractFormat.PARQUET).file());
    }

    private TenantTables open(String place) throws Exception {
        return shared.open("people: {%s, %s}".formatted(place, POLICY), CALLERS);
    }

    @Test
    void anExtractOfADatabaseShouldBeThatOfACopyWithTheCallersRowsAlone() throws Exception {
        String place = "jdbc: '%s', table: people";
        byte[] ofOwn = extracted(open(place.formatted(database("own", OWN))), ALICE);
        String url = database("shared", OTHERS + ", " + OWN);
        TenantTables tables = open(place.formatted(url));
        byte[] seen = extracted(tables, ALICE);
        Extract file = shared.extract(tables, ALICE, "people", ExtractFormat.PARQUET);
        assertThat(shared.rows(file.file()))
                .containsExactly("1|a|x|1200.0|2026-01-02", "3|a|null|0.0|null");
        assertThat(shared.rows(shared.extract(tables, BOB, "people", ExtractFormat.CSV).file()))
                .singleElement()
                .asString()
                .startsWith("2|b|")
                .doesNotContain(CANARY);
        assertThat(canaries()).isEmpty();
        assertArrayEquals(ofOwn, seen);
        sql(url, "UPDATE people SET pay = 2000 WHERE id = 1");
        assertThat(shared.extract(tables, ALICE, "people", ExtractFormat.CSV).rows())
                .as("it is read anew")
                .isEqualTo(1);
        sql(url, "ALTER TABLE people ADD COLUMN more VARCHAR DEFAULT '" + CANARY + "'");
        assertThatThrownBy(() -> extracted(tables, ALICE))
                .isInstanceOf(ReadDenied.class)
                .hasMessageContaining("the columns of table people have changed");
        sql(url, "DROP TABLE people");
        assertThatThrownBy(() -> extracted(tables, ALICE))
                .hasMessageContaining("cannot be read from its source now");
    }

    @Test
    void aTableOfIcebergShouldBeSeenAsItsCurrentSnapshot() throws Exception {
        Schema schema =
                new Schema(
                        NestedField.optional(1, "id", Types.IntegerType.get()),
                        NestedField.optional(2, "tenant", Types.StringType.get()),
                        NestedField.optional(3, "mail", Types.StringType.get()),
                        NestedField.optional(4, "pay", Types.DecimalType.of(9, 2)),
                        NestedField.optional(5, "day", Types.DateType.get()));
        Path place = folder.resolve("lake");
        try (WrittenTable table =
                new WrittenTable(place, schema, PartitionSpec.unpartitioned(), Map.of())) {
            table.append(OTHERS);
            TenantTables tables = open("iceberg: lake");
            assertThat(shared.extract(tables, ALICE, "people", ExtractFormat.CSV).rows()).isZero();
            table.append(OWN);
            byte[] seen = extracted(tables, ALICE);
            String url = database("own", OWN);
            assertArrayEquals(
                    extracted(open("jdbc: '%s', table: people".formatted(url)), ALICE), seen);
        }
    }

    @Test
    void objectsOfAStoreShouldBeReadWithoutLeavingCopies() throws Exception {
        try (S3Server server = S3Server.start()) {
            Map<String, String> environment = server.environment();
            for (String half : List.of(OTHERS, OWN)) {
                String rows =
                        half.replaceAll("DATE '([^']*)'", "$1")
                                .replace("), (", "\n")
                                .replaceAll("[()' ]", "")
                                .replace("NULL", "");
                String csv = "id,tenant,mail,pay,day\n" + rows + "\n";
                try (ObjectStore store =
                        ObjectStore.open(StoreUrl.of("files", "s3://bucket"), environment::get)) {
                    store.write(
                            "p/%d.csv".formatted(half.length()),
                            csv.getBytes(StandardCharsets.UTF_8));
                }
            }
            Path policies =
                    shared.policies(
                            "people: {files: 's3://bucket/p/*.csv', types: {pay: real, id:"
                                    + " integer},"
                                    + " %s}".formatted(POLICY),
                            CALLERS);
            TenantTables tables = TenantTables.open(policies, environment::get);
            Extract file = shared.extract(tables, ALICE, "people", ExtractFormat.PARQUET);
            assertThat(shared.rows(file.file()))
                    .containsExactly("1|a|x|1200.0|2026-01-02", "3|a|null|0.0|null");
            assertThat(canaries()).isEmpty();
        }
    }

    private List<Path> canaries() throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(f -> !f.toString().endsWith(".db"))
                    .filter(ForeignRowsTest::holdsCanary)
                    .toList();
        }
    }

    private static boolean holdsCanary(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .contains(CANARY);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
