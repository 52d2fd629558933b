package dev.medley.tenant.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.read.ReadDenied;
import dev.medley.tenant.read.SharedTables;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tries one by one what questions are asked to learn of what is not the caller's. */
@Tag("real")
class QueryAttackTest {
    private static final TenantCaller ALICE = SharedTables.caller("alice", "tenant", "a");

    @TempDir Path folder;
    TenantTables tables;

    @BeforeEach
    void make() throws IOException {
        tables =
                new SharedTables(folder)
                        .parquet(
                                "t",
                                """
                                SELECT * FROM (VALUES (1, 'a', 'own-1', 10, 'CANARY-7f3a-x'),
                                  (2, 'b', 'CANARY-7f3a-1', 1000, 'CANARY-7f3a-y'),
                                  (3, 'a', 'own-2', NULL, NULL),
                                  (4, 'b', 'CANARY-7f3a-2', 9223372036854775807, 'CANARY-7f3a-x'),
                                  (5, 'a', 'own-1', 30, 'CANARY-7f3a-x'))
                                  t(id, tenant, note, n, masked)\
                                """)
                        .open(
                                """
                                t: {files: data/t.parquet, rows: row.tenant == caller.tenant, masks: \
                                [{columns: masked, with: hash}]}
                                u: {files: data/t.parquet}
                                """,
                                "alice: {attributes: {tenant: a}}\nbob: {attributes: {tenant: b}}");
    }

    private String ask(String json) throws IOException, ReadDenied {
        Path work = Files.createTempDirectory(folder, "ask");
        QueryAnswer answer =
                new TenantQueries(tables)
                        .answer(
                                ALICE,
                                QueryReader.read(
                                        Json.parse(json.replace('\'', '"'), JsonNode.class)),
                                work);
        String rows = Json.line(answer.rows());
        assertFalse(rows.contains("CANARY"), rows);
        return rows;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                // COUNT, GROUP BY, ORDER BY, LIMIT, MIN and MAX see own rows alone.
                "{'table':'t','aggregates':[{'count':'*'},{'max':'n'},{'sum':'n'},{'count_distinct':'note'}]}"
                    + "~[[3,30,40,2]]",
                "{'table':'t','group_by':['tenant'],'aggregates':[{'count':'*'}]}~[['a',3]]",
                "{'table':'t','columns':['id'],'order_by':[{'column':'n','order':'desc'}],'limit':1}~[[5]]",
                "{'table':'t','columns':['id'],'where':'row.n > 500'}~[]",
                "{'table':'t','aggregates':[{'count':'*'}],'where':'row.tenant != \\'a\\''}~[[0]]",
                // What fails for a row of another tenant, or for an own one, is unknown.
                "{'table':'t','columns':['id'],'where':'1 / (row.n - 1000) == 0'}~[[1],[5]]",
                "{'table':'t','columns':['id'],'where':'1 / (row.n - 10) == 0'}~[[5]]",
                "{'table':'t','columns':['id'],'where':'row.n * 9223372036854775807 =="
                        + " null'}~[[1],[3],[5]]",
                "{'table':'t','columns':['id'],'where':'row.n % (row.id - 2) == 0'}~[[1],[5]]",
                // A masked value is not there to be compared with.
                "{'table':'t','columns':['id'],'where':'row.masked.startsWith(\\'CANARY\\')'}~[]",
                "{'table':'t','aggregates':[{'count_distinct':'masked'}]}~[[1]]",
                // Ties are broken by the order of rows, NULL is last.
                "{'table':'t','columns':['id'],'order_by':['note']}~[[1],[5],[3]]",
                "{'table':'t','group_by':['note'],'aggregates':[{'mean':'n','as':'m'}],'order_by':['m']}"
                    + "~[['own-1',20.0],['own-2',null]]",
                "{'table':'t','columns':['id'],'limit':0}~[]",
            })
    void answersShouldBeOfOwnMaskedRows(String query, String answer) throws Exception {
        assertEquals(
                answer.replace('\'', '"'),
                ask(query.replace("\\'", "\\\\u0027").replace("\\\\u", "\\u")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'table':'t','join':'u'}",
                "{'table':['t','u']}",
                "{'table':'t','sql':'SELECT 1'}",
                "{'table':'t','columns':['*']}",
                "{'table':'t','columns':['n + 1']}",
                "{'table':'t','columns':['c0']}",
                "{'table':'t','columns':['rowid']}",
                "{'table':'t','columns':['N']}",
                "{'table':'t','columns':['n','n']}",
                "{'table':'t','columns':[]  ,'order_by':['id; DROP TABLE extract']}",
                "{'table':'t','order_by':[{'column':'id','order':'asc; --'}]}",
                "{'table':'t','limit':-1}",
                "{'table':'t','limit':1.5}",
                "{'table':'t','limit':'1'}",
                "{'table':'t','aggregates':[{'median':'n'}]}",
                "{'table':'t','aggregates':[{'sum':'note'}]}",
                "{'table':'t','aggregates':[{'sum':'*'}]}",
                "{'table':'t','where':'true; SELECT 1'}",
                "{'table':'t','where':'row.id in (SELECT 1)'}",
                "{'table':'t','where':'caller.tenant == \\u0027a\\u0027'}",
                "{'table':'t','where':'read_text(\\u0027/etc/passwd\\u0027)'}",
                "{'table':'t','where':'row.id == 1 --'}",
                "{'table':'t','where':''}",
                "{'table':'t','where':null}",
                "[]",
                "'t'",
            })
    void whatIsNoQuestionShouldBeRefused(String query) {
        String said = assertThrows(ConfigException.class, () -> ask(query)).getMessage();
        assertFalse(said.contains("CANARY") || said.contains("duckdb"), said);
    }

    @Test
    void otherTablesShouldBeDenied() {
        for (String table :
                List.of("u", "x", "extract", "information_schema.tables", "../t", "t\\u0000")) {
            ReadDenied denied =
                    assertThrows(ReadDenied.class, () -> ask("{'table':'%s'}".formatted(table)));
            assertTrue(denied.getMessage().length() < 100, denied.getMessage());
        }
    }

    @Test
    void aQueryShouldNotReachFiles() throws Exception {
        Path work = Files.createTempDirectory(folder, "reach");
        try (var staged = tables.stage(ALICE, "t", work)) {
            TenantQueries.answer(
                    staged,
                    new QuerySpec("t", List.of(), List.of(), null, List.of(), List.of(), null));
            for (String sql :
                    List.of(
                            "SELECT * FROM read_parquet('%s/data/t.parquet')".formatted(folder),
                            "COPY extract TO '%s/out.csv'".formatted(folder),
                            "SET enable_external_access = true")) {
                assertThrows(java.sql.SQLException.class, () -> staged.db().execute(sql), sql);
            }
            assertEquals(
                    List.of(List.of("extract")),
                    staged.db().rows("SELECT table_name FROM duckdb_tables()"));
        }
    }

    @Test
    void equalValuesShouldBeNoConflict() throws Exception {
        // There is nothing to write: a question cannot insert, and so cannot find out what is
        // there.
        assertThrows(ConfigException.class, () -> ask("{'table':'t','insert':{'id':2}}"));
    }
}
