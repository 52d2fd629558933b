package dev.medley.tenant.read;

import static dev.medley.tenant.read.SharedTables.caller;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.tenant.TenantCaller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Extracts of real files by real policies. */
@Tag("real")
class ExtractTest {
    private static final String CALLERS =
            """
            alice: {secret: "env:ALICE", attributes: {tenant: a, role: analyst, regions: [north]}}
            bob: {attributes: {tenant: b, role: clerk, regions: [north, south]}}
            eve: {attributes: {role: clerk}}
            """;
    private static final TenantCaller ALICE =
            caller("alice", "tenant", "a", "role", "analyst", "regions", List.of("north"));
    private static final TenantCaller BOB =
            caller("bob", "tenant", "b", "role", "clerk", "regions", List.of("north", "south"));
    private static final String ROWS =
            """
            SELECT * FROM (VALUES
              (1, 'a', 'north', 'ann@x.org', '0911-1234', 12.34),
              (2, 'a', 'south', 'abe@x.org', '0911-2345', 20.5),
              (3, 'b', 'north', 'bea@x.org', '12', 31.77),
              (4, NULL, 'north', 'nil@x.org', '0911-9999', 40),
              (5, 'b', NULL, 'ben@x.org', '0911-8888', 50),
              (6, 'b', 'south', NULL, NULL, 61.25))
              AS t(id, tenant, region, email, phone, spend)\
            """;
    private static final String MINE =
            "row.tenant == caller.tenant && row.region in caller.regions";

    @TempDir Path folder;
    SharedTables shared;

    @BeforeEach
    void make() throws IOException {
        shared = new SharedTables(folder).parquet("customers", ROWS).csv("customers", ROWS);
    }

    private TenantTables open(String more) throws IOException {
        return shared.open(
                """
                customers:
                  files: data/*.parquet
                  rows: "%s"
                %s\
                """
                        .formatted(MINE, more.indent(2)),
                CALLERS);
    }

    private List<String> rows(TenantTables tables, TenantCaller caller)
            throws IOException, ReadDenied {
        return shared.rows(
                shared.extract(tables, caller, "customers", ExtractFormat.PARQUET).file());
    }

    @Test
    void shouldShowRowsForWhichTheFilterIsTrueAndNoneForWhichItIsUnknown() throws Exception {
        TenantTables tables = open("");
        assertEquals(List.of("1|a|north|ann@x.org|0911-1234|12.34"), rows(tables, ALICE));
        assertEquals(
                List.of("3|b|north|bea@x.org|12|31.77", "6|b|south|null|null|61.25"),
                rows(tables, BOB));
    }

    @Test
    void shouldMaskUnlessTheCallerMaySee() throws Exception {
        TenantTables tables =
                open(
                        """
                        masks:
                          - {columns: phone, unless: "caller.role == 'analyst'", with: {last: 4}}
                          - {columns: spend, with: {round: 0}}
                          - {columns: id, unless: "caller.role == 'analyst'", with: null}
                          - {columns: region, unless: "caller.role == 'analyst'", with: drop}
                          - {columns: email, unless: "caller.role == 'analyst'", with: {constant: "…"}}
                        """);
        assertEquals(List.of("1|a|north|ann@x.org|0911-1234|12.0"), rows(tables, ALICE));
        assertEquals(List.of("null|b|…||32.0", "null|b|…|null|61.0"), rows(tables, BOB));
    }

    @Test
    void shouldHashEqualValuesOfATenantAlikeAndOfTwoTenantsDifferently() throws Exception {
        TenantTables tables =
                shared.open(
                        "customers: {files: data/*.parquet, rows: all, masks: [{columns: [region,"
                                + " email], with: hash}], columns: [region, email]}",
                        CALLERS);
        List<String> forAlice = rows(tables, ALICE);
        List<String> forBob = rows(tables, BOB);
        assertEquals(forAlice.get(0).split("\\|", -1)[0], forAlice.get(2).split("\\|", -1)[0]);
        assertEquals(64, forAlice.get(0).split("\\|", -1)[0].length());
        assertTrue(!forAlice.get(0).equals(forBob.get(0)));
        assertTrue(forAlice.get(5).endsWith("|null"), "what is missing stays missing");
    }

    @Test
    void shouldWriteTheBytesThatAFilteredCopyGives() throws Exception {
        shared.parquet(
                "many",
                "SELECT i AS id, CASE WHEN i % 3 = 1 THEN 'a' ELSE 'b' END AS tenant, 'n' ||"
                        + " hash(i) AS text, i / 7.0 AS number FROM range(400000) r(i)");
        String table =
                "many: {files: data/many*.parquet, rows: \"row.tenant == 'a'\", masks:"
                        + " [{columns: text, with: hash}]}";
        TenantTables tables = shared.open(table, CALLERS);
        for (ExtractFormat format : ExtractFormat.values()) {
            Extract own = shared.extract(tables, ALICE, "many", format);
            SharedTables copy =
                    new SharedTables(Files.createTempDirectory(folder, "copy"))
                            .parquet(
                                    "many",
                                    "SELECT * FROM '%s' WHERE tenant = 'a'"
                                            .formatted(folder.resolve("data/many.parquet")));
            Extract same =
                    copy.extract(
                            copy.open(table.replace("\"row.tenant == 'a'\"", "all"), CALLERS),
                            ALICE,
                            "many",
                            format);
            assertEquals(133_333, own.rows());
            assertArrayEquals(Files.readAllBytes(same.file()), Files.readAllBytes(own.file()));
        }
    }

    @Test
    void shouldWriteCsvWithTextsAsTheyAre() throws Exception {
        TenantTables tables =
                shared.open(
                        "customers: {files: data/*.csv, types: {id: integer, spend: real}, rows:"
                                + " \"row.id >= 5 && row.spend > 60.5\"}",
                        CALLERS);
        Extract csv = shared.extract(tables, BOB, "customers", ExtractFormat.CSV);
        assertEquals(
                "id,tenant,region,email,phone,spend\n6,b,south,,,61.25\n",
                Files.readString(csv.file()));
        assertEquals(1, csv.rows());
    }

    @Test
    void shouldReadFilesInTheOrderOfTheirNamesAndLeaveColumnsEmptyThatOneLacks() throws Exception {
        shared.csv("p2", "SELECT 'b' AS tenant, 1 AS id")
                .csv("p1", "SELECT 'b' AS tenant, 2 AS id, 'x' AS more")
                .csv("p10", "SELECT 'x;y' AS more, 'b' AS tenant, 3 AS id");
        TenantTables tables =
                shared.open(
                        "p: {files: data/p*.csv, types: {id: integer}, rows: row.tenant =="
                                + " caller.tenant}",
                        CALLERS);
        assertEquals(
                "tenant,id,more\nb,2,x\nb,3,x;y\nb,1,\n",
                Files.readString(shared.extract(tables, BOB, "p", ExtractFormat.CSV).file()));
    }

    @Test
    void shouldMakeFoldersAndFilesForThisUserAlone() throws Exception {
        Extract extract = shared.extract(open(""), ALICE, "customers", ExtractFormat.PARQUET);
        Path made = extract.file().resolveSibling("");
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
        try (var left = Files.list(made)) {
            assertEquals(List.of(extract.file()), left.toList());
        }
    }

    @Test
    void shouldDenyWhatNobodyAllowedInPlainWords() throws Exception {
        TenantTables tables =
                shared.open(
                        "open: {files: data/*.parquet}\n"
                                + "customers: {files: data/*.parquet, rows: \"%s\"}"
                                        .formatted(MINE),
                        CALLERS);
        assertEquals(
                "no rows of table open are allowed to anybody: its policy has no rows:",
                tables.decide(ALICE, "open").why());
        assertEquals("there is no such table", tables.decide(ALICE, "Customers").why());
        assertEquals(
                "the policies know no such caller", tables.decide(caller("mallory"), "open").why());
        assertEquals(
                "the caller has no attribute 'regions', which the policy of table customers asks"
                        + " for",
                tables.decide(caller("eve", "role", "clerk"), "customers").why());
        assertEquals(
                "the caller's attribute 'tenant' is a whole number, but the policies say a text",
                tables.decide(caller("eve", "tenant", 1L, "regions", List.of("north")), "customers")
                        .why());
        assertEquals(List.of("customers"), tables.tables(ALICE));
        assertThrows(
                ReadDenied.class, () -> shared.extract(tables, ALICE, "open", ExtractFormat.CSV));
        assertEquals(
                "rows where %s; 6 of 6 columns".formatted(MINE),
                tables.decide(ALICE, "customers").why());
    }
}
