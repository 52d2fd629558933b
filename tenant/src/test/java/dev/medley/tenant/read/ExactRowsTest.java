package dev.medley.tenant.read;

import static dev.medley.tenant.read.SharedTables.caller;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.medley.tenant.query.Aggregate;
import dev.medley.tenant.query.QuerySpec;
import dev.medley.tenant.query.TenantQueries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions that decide between neighbours: large numbers, missing values, empty lists. */
@Tag("unit")
class ExactRowsTest {
    private static final long LARGE = 9_007_199_254_740_992L;
    private static final String CALLERS =
            "alice: {attributes: {id: 9007199254740992, blocked: []}}\n"
                    + "bob: {attributes: {id: 9007199254740993, blocked: [x]}}";

    @TempDir Path folder;
    SharedTables shared;

    @BeforeEach
    void make() throws IOException {
        shared = new SharedTables(folder);
    }

    private List<String> rows(String where, long id) throws Exception {
        return rows(where, id, List.of());
    }

    private List<String> rows(String where, long id, List<String> blocked) throws Exception {
        TenantTables tables =
                shared.open("t: {files: data/t.parquet, rows: \"%s\"}".formatted(where), CALLERS);
        return shared.rows(
                shared.extract(
                                tables,
                                caller("alice", "id", id, "blocked", blocked),
                                "t",
                                ExtractFormat.PARQUET)
                        .file());
    }

    @ParameterizedTest
    @ValueSource(strings = {"DECIMAL(38,0)", "DECIMAL(20,0)", "UBIGINT", "DECIMAL(22,2)", "BIGINT"})
    void shouldKeepNeighboursBeyond53BitsApart(String type) throws Exception {
        shared.parquet(
                "t",
                "SELECT 'r' || (i - %d) AS n, CAST(i AS %s) AS id FROM range(%d, %d) r(i)"
                        .formatted(LARGE, type, LARGE, LARGE + 3));
        int turn =
                type.length(); // Each condition asks for one of the three, others of other types.
        for (int i = 0; i < 3; i++) {
            String own = "r" + i;
            List<String> conditions =
                    List.of(
                            "row.id == caller.id",
                            "!(row.id != caller.id)",
                            "caller.id == row.id",
                            "row.id <= caller.id && row.id >= caller.id",
                            "!(row.id < caller.id || row.id > caller.id)",
                            "row.id in [%d, 7.5]".formatted(LARGE + i));
            for (int at = 0; at < conditions.size(); at++) {
                if ((at + turn) % 3 == i) {
                    String where = conditions.get(at);
                    List<String> seen = rows(where, LARGE + i);
                    assertEquals(1, seen.size(), where + " of " + own + ": " + seen);
                    assertEquals(own, seen.get(0).substring(0, 2), where);
                }
            }
        }
    }

    @Test
    void shouldKeepNeighboursOfFractionsAndDoublesApart() throws Exception {
        shared.parquet(
                "t",
                "SELECT * FROM (VALUES ('a', 9007199254740992.00::DECIMAL(20,2),"
                        + " 9007199254740992::DOUBLE), ('b', 9007199254740992.01, 'NaN'), ('c',"
                        + " -9007199254740992.99, '-inf'), ('d', NULL, NULL)) v(n, id, real)");
        assertEquals(List.of("a"), names("row.id == caller.id", LARGE));
        assertEquals(List.of("a"), names("row.real == caller.id", LARGE));
        assertEquals(List.of(), names("row.real == caller.id", LARGE + 1));
        assertEquals(List.of("a", "c"), names("row.real < caller.id", LARGE + 1));
        assertEquals(List.of("b"), names("row.id > caller.id", LARGE));
        assertEquals(List.of("b"), names("row.real > caller.id", LARGE));
        assertEquals(List.of("c"), names("row.id < caller.id", -LARGE));
        assertEquals(List.of("a", "b"), names("row.id >= caller.id", -LARGE));
        assertEquals(List.of("b", "c"), names("row.id != caller.id", LARGE));
        assertEquals(List.of("a"), names("row.id in [9007199254740992, 1]", 0));
        assertEquals(List.of("a"), names("row.real in [9007199254740993, 9007199254740992]", 0));
    }

    private List<String> names(String where, long id) throws Exception {
        return rows(where, id).stream().map(r -> r.substring(0, 1)).toList();
    }

    @Test
    void shouldCompareExactlyInQueriesToo() throws Exception {
        shared.parquet(
                "t",
                "SELECT CAST(i AS DECIMAL(38,0)) AS id FROM range(%d, %d) r(i)"
                        .formatted(LARGE, LARGE + 3));
        TenantTables tables = shared.open("t: {files: data/t.parquet, rows: all}", CALLERS);
        QuerySpec query =
                new QuerySpec(
                        "t",
                        List.of("id"),
                        List.<Aggregate>of(),
                        "row.id == " + (LARGE + 1),
                        List.of(),
                        List.of(),
                        null);
        assertEquals(
                "[[%d]]".formatted(LARGE + 1),
                new TenantQueries(tables)
                        .answer(caller("alice"), query, folder.resolve("q"))
                        .rows()
                        .toString());
    }

    @Test
    void shouldHideARowWhoseValueIsMissingFromAnEmptyListToo() throws Exception {
        shared.parquet("t", "SELECT * FROM (VALUES ('x', 1), (NULL, 2), ('y', 3)) v(region, n)");
        String where = "!(row.region in caller.blocked)";
        assertEquals(List.of("x|1", "y|3"), rows(where, 0, List.of()));
        assertEquals(List.of("y|3"), rows(where, 0, List.of("x")));
        assertEquals(List.of("x|1", "y|3"), rows("!(row.region in [])", 0, List.of()));
    }

    @Test
    void shouldNotRoundATextToTheIdOfAnother() throws Exception {
        shared.csv("t", "SELECT * FROM (VALUES ('7.6', 'a'), ('8', 'b'), ('8e0', 'c')) v(id, n)");
        TenantTables tables =
                shared.open(
                        "t: {files: data/t.csv, types: {id: integer}, rows: row.id == caller.id}",
                        CALLERS);
        assertEquals(
                List.of("8|b"),
                shared.rows(
                        shared.extract(
                                        tables,
                                        caller("alice", "id", 8L),
                                        "t",
                                        ExtractFormat.PARQUET)
                                .file()));
    }
}
