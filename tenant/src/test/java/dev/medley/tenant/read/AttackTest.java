package dev.medley.tenant.read;

import static dev.medley.tenant.read.SharedTables.CANARY;
import static dev.medley.tenant.read.SharedTables.caller;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.tenant.TenantCaller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tries one by one what callers of shared tables try. */
@Tag("real")
class AttackTest {
    private static final TenantCaller ALICE = caller("alice", "tenant", "a");
    private static final TenantCaller BOB = caller("bob", "tenant", "b");
    private static final String CALLERS =
            "alice: {attributes: {tenant: a}}\nbob: {attributes: {tenant: b}}";
    private static final String MINE = "rows: row.tenant == caller.tenant";
    private static final String ROWS =
            """
            SELECT i AS id, CASE WHEN i %% 2 = 0 THEN 'a' ELSE 'b' END AS tenant,
              CASE WHEN i %% 2 = 0 THEN 'own-' || i ELSE '%1$s-row-' || i END AS note,
              '%1$s-mask-' || i %% 50 AS email, 7 * i AS secret
            FROM range(%2$d) r(i)\
            """;

    @TempDir Path folder;
    SharedTables shared;

    @BeforeEach
    void make() throws IOException {
        shared = new SharedTables(folder).parquet("t", ROWS.formatted(CANARY, 3_000));
    }

    private TenantTables open(String more) throws IOException {
        return shared.open("t: {files: data/t.parquet, %s%s}".formatted(MINE, more), CALLERS);
    }

    private static boolean holds(Path place, String text) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                if (bytes.contains(text)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void statisticsAndDictionariesOfParquetShouldHoldNoMaskedOrForeignValue() throws Exception {
        TenantTables tables =
                open(", masks: [{columns: email, with: hash}, {columns: secret, with: null}]");
        Extract extract = shared.extract(tables, ALICE, "t", ExtractFormat.PARQUET);
        assertFalse(holds(extract.file().getParent(), CANARY));
        List<List<String>> found =
                query(
                        "SELECT path_in_schema, stats_min_value, stats_max_value, stats_null_count"
                                + " FROM"
                                + " parquet_metadata(%s)"
                                        .formatted(DuckDb.text("" + extract.file())));
        assertEquals(5, found.size(), "one row group");
        assertEquals("1500", found.get(4).get(3), "secret is missing in all rows");
        assertEquals(null, found.get(4).get(1));
        assertEquals(
                List.of("a", "a"),
                found.get(1).subList(1, 3),
                "tenant, whose greatest is b elsewhere");
    }

    private List<List<String>> query(String sql) throws IOException, SQLException {
        Path scratch = Files.createTempDirectory(folder, "look");
        try (DuckDb db = DuckDb.forFiles(List.of(), scratch)) {
            return db.rows(sql);
        }
    }

    @Test
    void rowGroupsShouldNotTellWhereForeignRowsWere() throws Exception {
        shared.parquet("t", ROWS.formatted(CANARY, 600_000));
        byte[] mixed =
                Files.readAllBytes(
                        shared.extract(open(""), ALICE, "t", ExtractFormat.PARQUET).file());
        shared.parquet(
                "t",
                "SELECT * FROM (%s) WHERE tenant = 'a'".formatted(ROWS.formatted(CANARY, 600_000)));
        byte[] alone =
                Files.readAllBytes(
                        shared.extract(open(""), ALICE, "t", ExtractFormat.PARQUET).file());
        assertArrayEquals(alone, mixed);
    }

    /** What DuckDB spills are blocks of memory, in which values of others may be left. */
    @Test
    void nothingShouldBeSpilled() throws Exception {
        shared.parquet("t", ROWS.formatted(CANARY, 400_000));
        TenantTables tables = open(", masks: [{columns: email, with: hash}]");
        Path work = Files.createDirectory(folder.resolve("work"));
        try (StagedExtract staged = tables.stage(ALICE, "t", work)) {
            staged.db().execute("SET memory_limit = '24MB'");
            String said =
                    assertThrows(
                                    SQLException.class,
                                    () ->
                                            staged.db()
                                                    .execute(
                                                            "CREATE TABLE other AS SELECT * FROM"
                                                                + " extract UNION ALL SELECT * FROM"
                                                                + " extract ORDER BY c2"))
                            .getMessage();
            assertTrue(said.startsWith("Out of Memory Error"), said);
            assertFalse(holds(work, ""), "there is a file");
        }
        try (Stream<Path> left = Files.list(work)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void whatIsCutOffShouldLeaveNoPartOfAnExtract() throws Exception {
        TenantTables tables = open("");
        Path target = folder.resolve("out/t.parquet");
        Files.createDirectories(
                folder.resolve("out"), dev.medley.base.OwnFolder.only("rwx------")[0]);
        Files.createDirectory(target);
        Files.writeString(target.resolve("in-the-way"), "");
        assertThrows(
                IOException.class, () -> tables.extract(ALICE, "t", ExtractFormat.PARQUET, target));
        try (Stream<Path> left = Files.list(folder.resolve("out"))) {
            assertEquals(List.of(target), left.toList());
        }
    }

    @Test
    void aFolderThatOthersMayLookIntoShouldBeRefused() throws Exception {
        TenantTables tables = open("");
        Path open = Files.createDirectory(folder.resolve("open"));
        assertThrows(
                IOException.class,
                () -> tables.extract(ALICE, "t", ExtractFormat.CSV, open.resolve("t.csv")));
    }

    @Test
    void namesOfTablesShouldNotLeadToFiles() throws Exception {
        TenantTables tables = open("");
        Files.createSymbolicLink(folder.resolve("data/other"), folder.resolve("data/t.parquet"));
        for (String name :
                List.of(
                        "other",
                        "data/t.parquet",
                        "../data/t",
                        "..%2ft",
                        "t/",
                        "t ",
                        " t",
                        "T",
                        "t\0",
                        "t\0.parquet",
                        "t'",
                        "t\"",
                        "\"t\"",
                        "t; DROP TABLE t",
                        "",
                        ".",
                        "t\u200b",
                        "\u0442",
                        "t\u0301",
                        "read_parquet('t')",
                        "extract",
                        "main.extract")) {
            ReadDecision decision = tables.decide(ALICE, name);
            assertEquals("there is no such table", decision.why(), name);
        }
    }

    @Test
    void linksOutOfTheFolderShouldNotBeFollowed() throws Exception {
        Path outside = Files.createTempDirectory("medley-outside");
        new SharedTables(outside).parquet("x", ROWS.formatted(CANARY, 4));
        Files.createSymbolicLink(
                folder.resolve("data/link.parquet"), outside.resolve("data/x.parquet"));
        String said =
                assertThrows(
                                dev.medley.base.ConfigException.class,
                                () ->
                                        shared.open(
                                                "t: {files: data/*.parquet, %s}".formatted(MINE),
                                                CALLERS))
                        .getMessage();
        assertTrue(said.contains("is a link that leads out of"), said);
    }

    @Test
    void aChangedPolicyShouldHoldForTheNextRequest() throws Exception {
        TenantTables tables = open("");
        assertEquals(1_500, shared.extract(tables, ALICE, "t", ExtractFormat.CSV).rows());
        shared.policies(
                "t: {files: data/t.parquet, rows: row.tenant == caller.tenant && row.id < 10}",
                CALLERS);
        assertEquals(5, shared.extract(tables, ALICE, "t", ExtractFormat.CSV).rows());
        shared.policies("t: {files: data/t.parquet}", CALLERS);
        assertThrows(ReadDenied.class, () -> shared.extract(tables, ALICE, "t", ExtractFormat.CSV));
        SharedTables.rested(folder.resolve("policies.yaml"), "bucket: [");
        assertEquals(
                "the policies cannot be read now: whoever keeps them has to mend them",
                tables.decide(ALICE, "t").why());
        assertTrue(tables.trouble().isPresent());
        Files.delete(folder.resolve("policies.yaml"));
        assertThrows(ReadDenied.class, () -> shared.extract(tables, ALICE, "t", ExtractFormat.CSV));
        open("");
        assertEquals(1_500, shared.extract(tables, ALICE, "t", ExtractFormat.CSV).rows());
        assertTrue(tables.trouble().isEmpty());
    }

    @Test
    void aChangedSourceShouldBeSeenByTheNextRequestAndNewColumnsByNobody() throws Exception {
        TenantTables tables = open("");
        assertEquals(1_500, shared.extract(tables, ALICE, "t", ExtractFormat.CSV).rows());
        shared.parquet("t", ROWS.formatted(CANARY, 10));
        assertEquals(5, shared.extract(tables, ALICE, "t", ExtractFormat.CSV).rows());
        shared.parquet(
                "t", "SELECT *, 'x' AS more FROM (%s)".formatted(ROWS.formatted(CANARY, 10)));
        String said =
                assertThrows(
                                ReadDenied.class,
                                () -> shared.extract(tables, ALICE, "t", ExtractFormat.CSV))
                        .getMessage();
        assertTrue(said.startsWith("the columns of table t have changed"), said);
    }

    @Test
    void nothingShouldBeKeptFromOneTenantForTheNext() throws Exception {
        TenantTables tables = open("");
        for (int i = 0; i < 3; i++) {
            for (TenantCaller caller : List.of(ALICE, BOB)) {
                Extract extract = shared.extract(tables, caller, "t", ExtractFormat.CSV);
                String other = caller.equals(ALICE) ? CANARY + "-row" : "own-";
                assertFalse(holds(extract.file().getParent(), other));
            }
        }
    }

    @Test
    void attributesThatACallerClaimsShouldNotCount() throws Exception {
        // Whoever proves callers gives the attributes of the file; others of the same name are
        // refused
        // where their type differs, and a caller who is not in the file always is.
        TenantTables tables = open("");
        assertTrue(
                tables.decide(caller("mallory", "tenant", "a"), "t")
                        instanceof ReadDecision.Denied);
        assertTrue(
                tables.decide(caller("alice", "tenant", List.of("a", "b")), "t")
                        instanceof ReadDecision.Denied);
        assertTrue(tables.decide(caller("alice"), "t") instanceof ReadDecision.Denied);
    }

    @Test
    void failuresOnForeignRowsShouldNotBeSeen() throws Exception {
        shared.csv(
                "c",
                "SELECT * FROM (VALUES ('a', '1'), ('b', '%s'), ('b', '99999999999999999999'), ('a', '2'))"
                                .formatted(CANARY)
                        + " t(tenant, n)");
        TenantTables tables =
                shared.open(
                        "c: {files: data/c.csv, types: {n: integer}, %s}".formatted(MINE), CALLERS);
        Extract own = shared.extract(tables, ALICE, "c", ExtractFormat.CSV);
        assertEquals("tenant,n\na,1\na,2\n", Files.readString(own.file()));
        String said =
                assertThrows(
                                IOException.class,
                                () -> shared.extract(tables, BOB, "c", ExtractFormat.CSV))
                        .getMessage();
        assertEquals(
                "table c: column 'n' has a value that is no BIGINT in a row of the caller", said);
    }

    @Test
    void messagesOfBrokenFilesShouldShowNoRows() throws Exception {
        Files.writeString(
                folder.resolve("data/broken.csv"),
                "tenant,n\na,1\nb,\"%s\"x,,,\n%s,2,3,4\n".formatted(CANARY, CANARY));
        TenantTables tables =
                shared.open("c: {files: data/broken.csv, %s}".formatted(MINE), CALLERS);
        IOException said =
                assertThrows(
                        IOException.class,
                        () -> shared.extract(tables, ALICE, "c", ExtractFormat.CSV));
        for (Throwable e = said; e != null; e = e.getCause()) {
            assertFalse(String.valueOf(e.getMessage()).contains(CANARY), e.getMessage());
        }
        assertTrue(said.getMessage().startsWith("table c cannot be read now ("), said.getMessage());
    }

    @Test
    void brokenJsonShouldShowNoRowsAndLinksShouldNotBeFollowed() throws Exception {
        Path file = folder.resolve("data/broken.jsonl");
        Files.writeString(file, "{\"tenant\": \"a\", \"n\": 1}\n");
        TenantTables tables = shared.open("c: {files: data/*.jsonl, %s}".formatted(MINE), CALLERS);
        for (String broken :
                List.of(
                        "{\"tenant\": \"b\", \"n\": " + CANARY + "}",
                        "{\"n\": 1, \"tenant\": \"" + CANARY,
                        "\"" + CANARY + "\"")) {
            Files.writeString(file, "{\"tenant\": \"a\", \"n\": 1}\n" + broken);
            IOException said =
                    assertThrows(
                            IOException.class,
                            () -> shared.extract(tables, ALICE, "c", ExtractFormat.CSV));
            for (Throwable e = said; e != null; e = e.getCause()) {
                assertFalse(String.valueOf(e.getMessage()).contains(CANARY), e.getMessage());
            }
            assertTrue(said.getMessage().startsWith("table c cannot be read now"));
        }
        Files.writeString(file, "{\"tenant\": \"a\", \"n\": 1, \"" + CANARY + "\": 2}\n");
        String changed =
                assertThrows(
                                ReadDenied.class,
                                () -> shared.extract(tables, ALICE, "c", ExtractFormat.CSV))
                        .getMessage();
        assertFalse(changed.contains(CANARY), changed);
        Path outside = Files.createTempDirectory("medley-outside");
        Files.writeString(outside.resolve("x.jsonl"), "{\"tenant\": \"a\", \"n\": 1}\n");
        Files.delete(file);
        Files.createSymbolicLink(file, outside.resolve("x.jsonl"));
        assertThrows(
                IOException.class, () -> shared.extract(tables, ALICE, "c", ExtractFormat.CSV));
    }

    @Test
    void textsThatOnlyLookAlikeShouldNotBeEqual() throws Exception {
        shared.parquet(
                "u",
                "SELECT * FROM (VALUES ('a'), ('A'), ('\u0430'), ('a '), ('a' || chr(0)), ('á'),"
                        + " ('a'||chr(769)), ('ａ')) t(tenant)");
        TenantTables tables =
                shared.open("u: {files: data/u.parquet, %s}".formatted(MINE), CALLERS);
        assertEquals(1, shared.extract(tables, ALICE, "u", ExtractFormat.PARQUET).rows());
    }

    @Test
    void namesOfColumnsShouldNotBecomeSql() throws Exception {
        String name = "x\"\" FROM secrets; -- '\\";
        shared.parquet(
                "n",
                "SELECT 'a' AS tenant, 1 AS \"%s\", 2 AS \"c0\", 3 AS \"unfit\", 4 AS rowid"
                        .formatted(name));
        TenantTables tables =
                shared.open("n: {files: data/n.parquet, %s}".formatted(MINE), CALLERS);
        Extract extract = shared.extract(tables, ALICE, "n", ExtractFormat.PARQUET);
        assertEquals(
                List.of("tenant", name.replace("\"\"", "\""), "c0", "unfit", "rowid"),
                extract.columns());
        assertEquals(List.of("a|1|2|3|4"), shared.rows(extract.file()));
    }

    @Test
    void columnsThatDifferByCapitalsShouldNotStandForEachOther() throws Exception {
        shared.parquet(
                "c1", "SELECT 'a' AS \"Tenant\", 'b' AS other, '%s' AS note".formatted(CANARY));
        shared.parquet("c2", "SELECT 'b' AS tenant, 'x' AS other, 'y' AS note");
        String said =
                assertThrows(
                                dev.medley.base.ConfigException.class,
                                () ->
                                        shared.open(
                                                "c: {files: data/c*.parquet, %s}".formatted(MINE),
                                                CALLERS))
                        .getMessage();
        assertTrue(said.contains("'Tenant' and 'tenant' differ by capitals alone"), said);
    }

    @Test
    void maskedValuesShouldNotBeInAnythingThatIsWritten() throws Exception {
        TenantTables tables =
                open(
                        ", masks: [{columns: email, with: {constant: hidden}}, {columns: note,"
                                + " with: {last: 2}}, {columns: secret, with: drop}]");
        for (ExtractFormat format : ExtractFormat.values()) {
            Extract extract = shared.extract(tables, BOB, "t", format);
            assertFalse(holds(extract.file().getParent(), "CANARY"));
            assertFalse(extract.toString().contains("CANARY"));
        }
    }
}
