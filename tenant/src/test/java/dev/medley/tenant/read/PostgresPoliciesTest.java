package dev.medley.tenant.read;

import static dev.medley.tenant.read.SharedTables.caller;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.connect.postgres.PostgresServer;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.policy.TablePlace;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real PostgreSQL, its own row security, and policies of the file on top of it. */
@Tag("real")
class PostgresPoliciesTest {
    private static final String DATABASE = "tenants";
    private static final TenantCaller ALICE = caller("alice", "tenant", "a", "pg", "tenant_a");
    private static final TenantCaller BOB = caller("bob", "tenant", "b", "pg", "tenant_b");
    private static final String SECURED =
            "rows: all, role: pg, settings: {app.tenant: tenant}, masks: [{columns: phone, with:"
                    + " {last: 2}}]";

    @TempDir Path folder;
    PostgresServer server;
    SharedTables shared;

    @BeforeEach
    void make() throws Exception {
        server = PostgresServer.shared();
        server.make(DATABASE);
        shared = new SharedTables(folder);
        for (String role : List.of("tenant_a", "tenant_b", "wide", "door")) {
            sql(
                    "DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = '%1$s') THEN DROP"
                                    .formatted(role)
                            + " OWNED BY %1$s; DROP ROLE %1$s; END IF; END $$".formatted(role));
        }
        sql(
                "CREATE ROLE tenant_a",
                "CREATE ROLE tenant_b",
                "CREATE ROLE wide BYPASSRLS",
                "CREATE ROLE door LOGIN PASSWORD 'right'",
                "GRANT tenant_a, tenant_b, wide TO door",
                "CREATE TABLE visits (id bigint PRIMARY KEY, tenant text, phone text, paid"
                        + " numeric(8,2), at timestamptz, share float8)",
                "INSERT INTO visits SELECT i, CASE WHEN i % 3 = 0 THEN 'a' ELSE 'b' END, 'CANARY-'"
                    + " || i, i / 4.0, to_timestamp(i), i / 7.0 FROM generate_series(5000, 1, -1)"
                    + " i",
                "GRANT SELECT ON visits TO tenant_a, tenant_b, wide, door",
                "ALTER TABLE visits ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY own ON visits USING (tenant = current_setting('app.tenant') AND"
                        + " current_user = 'tenant_' || tenant)");
    }

    private void sql(String... statements) throws SQLException {
        try (Connection connection = server.connect(DATABASE);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private TenantTables open(String user, String more) throws IOException {
        return TenantTables.open(
                shared.policies(
                        "visits: {postgres: \"%s\", user: %s, password: \"env:PASSWORD\", table: visits, %s}"
                                .formatted(server.url(DATABASE), user, more),
                        """
                        alice: {attributes: {tenant: a, pg: tenant_a}}
                        bob: {attributes: {tenant: b, pg: tenant_b}}
                        wide: {attributes: {tenant: b, pg: wide}}
                        """),
                name -> name.equals("PASSWORD") ? "right" : null);
    }

    private List<String> rows(TenantTables tables, TenantCaller caller) throws Exception {
        return shared.rows(shared.extract(tables, caller, "visits", ExtractFormat.PARQUET).file());
    }

    private String refused(TenantTables tables, TenantCaller caller) {
        IOException e = assertThrows(IOException.class, () -> rows(tables, caller));
        assertEquals(
                "table visits cannot be read now: whoever keeps it has to look at it",
                e.getMessage());
        return String.valueOf(Objects.requireNonNull(e.getCause()).getMessage());
    }

    @Test
    void shouldReadAsTheRoleAndSettingOfTheCaller() throws Exception {
        TenantTables tables = open("door", SECURED);
        List<String> own = rows(tables, ALICE);
        assertEquals(1_666, own.size());
        assertEquals("3|a|-3|0.75|1970-01-01T00:00:03Z|0.42857142857142855", own.get(0));
        assertEquals(3_334, rows(tables, BOB).size());
    }

    @Test
    void shouldApplyTheFilesPolicyAsWell() throws Exception {
        TenantTables tables =
                open(
                        "door",
                        SECURED.replace("rows: all", "rows: \"row.id < 10 && row.paid > 1.4\""));
        assertEquals(
                List.of("6|a|-6|1.50", "9|a|-9|2.25"),
                rows(tables, ALICE).stream().map(r -> r.substring(0, r.indexOf("|1970"))).toList());
    }

    @Test
    void shouldRefuseRolesThatRowSecurityDoesNotBind() throws Exception {
        assertTrue(
                refused(open("door", SECURED), caller("wide", "tenant", "b", "pg", "wide"))
                        .contains("has BYPASSRLS"));
        assertTrue(refused(open("medley", "rows: all"), ALICE).contains("is a superuser"));
        sql("ALTER TABLE visits OWNER TO tenant_a");
        assertTrue(refused(open("door", SECURED), ALICE).contains("owns the table"));
        sql("ALTER TABLE visits FORCE ROW LEVEL SECURITY");
        assertEquals(1_666, rows(open("door", SECURED), ALICE).size());
    }

    @Test
    void shouldRefuseARoleWhereTheServerHasNoSecurityForIt() throws Exception {
        sql(
                "CREATE VIEW seen AS SELECT * FROM visits",
                "GRANT SELECT ON seen TO tenant_a",
                "ALTER TABLE visits DISABLE ROW LEVEL SECURITY");
        assertTrue(refused(open("door", SECURED), ALICE).contains("has no row level security"));
        TenantTables view = open("door", SECURED.replace("role: pg", "role: pg"));
        Path policies = folder.resolve("policies.yaml");
        String text =
                java.nio.file.Files.readString(policies).replace("table: visits,", "table: seen,");
        SharedTables.rested(policies, text);
        assertTrue(refused(view, ALICE).contains("a view, which reads as its owner"));
    }

    @Test
    void shouldKeepTheServersRulesFromChangingWhileItReads() throws Exception {
        TenantTables tables = open("door", SECURED);
        TablePlace.OfPostgres place =
                (TablePlace.OfPostgres)
                        Objects.requireNonNull(
                                        tables.policies().orElseThrow().tables().get("visits"))
                                .place();
        String change = "ALTER TABLE visits DISABLE ROW LEVEL SECURITY";
        PostgresRows reading =
                PostgresRows.open(place, ALICE.attributes(), name -> "right", new ReadStop());
        SQLException locked =
                assertThrows(SQLException.class, () -> sql("SET lock_timeout = '100ms'", change));
        assertEquals("55P03", locked.getSQLState());
        reading.close();
        sql(change);
    }

    @Test
    void shouldNotKeepARoleForTheNextCaller() throws Exception {
        TenantTables tables = open("door", SECURED);
        rows(tables, ALICE);
        List<String> next = rows(tables, BOB);
        assertTrue(next.stream().allMatch(r -> r.split("\\|", -1)[1].equals("b")), "only b's rows");
    }
}
