package dev.medley.tenant.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of policies, right and wrong. */
@Tag("unit")
class PolicyFileTest {
    private static final List<SourceColumn> COLUMNS =
            List.of(
                    new SourceColumn("id", "BIGINT", false),
                    new SourceColumn("tenant", "VARCHAR", false),
                    new SourceColumn("email", "VARCHAR", false),
                    new SourceColumn("spend", "DOUBLE", false),
                    new SourceColumn("photo", "BLOB", false));

    @TempDir Path folder;

    private TenantPolicies read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("p.yaml"), text);
        return PolicyFile.read(file, place -> COLUMNS);
    }

    private String wrong(String text) {
        String all = assertThrows(ConfigException.class, () -> read(text)).getMessage();
        return all.lines()
                .map(l -> l.replace(folder.resolve("p.yaml").toString(), "p.yaml"))
                .collect(Collectors.joining("\n"));
    }

    private static String table(String more) {
        return """
        bucket: warehouse
        tables:
          t:
            files: data/*.parquet
        %s
        callers:
          alice: {attributes: {tenant: a, level: 3}}
        """
                .formatted(more.stripTrailing().indent(4).stripTrailing());
    }

    @Test
    void shouldReadWhatIsSaid() throws IOException {
        TenantPolicies read =
                read(
                        """
                        bucket: warehouse
                        hash_key: env:KEY
                        quotas: {rows_per_day: 10}
                        tables:
                          t:
                            files: data/*.parquet
                            rows: row.tenant == caller.tenant
                            columns: [id, tenant, email]
                            masks: [{columns: email, unless: caller.level > 2, with: hash}]
                          u: {postgres: "postgresql://db/crm", table: public.u, role: role, rows: all}
                        callers:
                          alice: {secret: "file:a.key", attributes: {tenant: a, level: 3, role: r}}
                          bob: {quotas: {concurrent: 1}}
                        """);
        assertEquals("[t, u]", read.tables().keySet().toString());
        assertEquals(10, read.callers().get("bob").quotas().rowsPerDay());
        assertEquals(1, read.callers().get("bob").quotas().concurrentReads());
        assertEquals("file:" + folder.resolve("a.key"), "" + read.callers().get("alice").secret());
        assertEquals(3L, read.callers().get("alice").caller().attributes().get("level"));
    }

    @Test
    void shouldSayWhereAConditionIsWrong() {
        assertEquals(
                "p.yaml:5:5: tables.t.rows: character 1: there is no column 'tennant'; did you mean"
                        + " tenant?",
                wrong(table("rows: row.tennant == caller.tenant")));
        assertEquals(
                "p.yaml:5:5: tables.t.rows: character 15: there is no attribute of callers"
                        + " 'region'; there are tenant, level",
                wrong(table("rows: row.tenant == caller.region")));
    }

    @Test
    void shouldSayEverythingThatIsWrongAtOnce() {
        assertEquals(
                """
                p.yaml:6:5: tables.t.columns: the table has no column 'mail'; did you mean email?
                p.yaml:8:8: tables.t.masks.0.columns: column 'spend' is a number, of which last: shows \
                nothing: it is for texts
                p.yaml:9:8: tables.t.masks.1.columns: the table has no column 'fone'; there are id, tenant, \
                email, spend, photo
                p.yaml:11:8: tables.t.masks.3.columns: column 'id' is masked by mask 3 already: one mask \
                says what stands in its place
                p.yaml:12:25: tables.t.masks.4.unless: character 1: there is no column 'id'; none may be \
                used here\
                """,
                wrong(
                                table(
                                        """
                                        rows: all
                                        columns: [id, tenant, mail, spend]
                                        masks:
                                        - {columns: spend, with: {last: 4}}
                                        - {columns: fone, with: null}
                                        - {columns: id, with: {round: -2}}
                                        - {columns: id, with: drop}
                                        - {columns: tenant, unless: row.id == 3, with: null}
                                        """))
                        .replace("masks[", "masks.")
                        .replace("]", ""));
    }

    @Test
    void shouldGuessWhatAKeyWasMeantToBe() {
        assertEquals(
                "p.yaml:5:5: unknown key tables.t.row; did you mean tables.t.rows?",
                wrong(table("row: all"))
                        .replace("did you mean rows?", "did you mean tables.t.rows?"));
    }

    @Test
    void shouldRefuseContradictions() {
        assertEquals(
                "p.yaml:5:5: tables.t.role belongs to postgres:, but the table is said by files:"
                        + " remove it",
                wrong(table("role: tenant\nrows: all")));
        assertEquals(
                "p.yaml:3:3: tables.t: it says files and snapshot; say one of files, snapshot,"
                        + " postgres, jdbc, iceberg",
                wrong(table("snapshot: x\nrows: all")));
        assertEquals(
                "p.yaml:6:11: tables.t.masks[0].columns: column 'email' is masked, but columns:"
                        + " shows it to nobody: remove one of both",
                wrong(table("columns: [id]\nmasks: [{columns: email, with: null}]"))
                        .replaceFirst(":6:\\d+:", ":6:11:"));
        assertEquals(
                "p.yaml:2:1: hash_key is missing: columns are hashed, so say where their key is, as"
                        + " in hash_key: file:hash.key",
                wrong(table("rows: all\nmasks: [{columns: email, with: hash}]")));
    }

    @Test
    void shouldRefuseRoundingThatShowsEverything() {
        for (String digits : new String[] {"0", "2"}) {
            String said =
                    wrong(
                            table(
                                    "rows: all\nmasks: [{columns: id, with: {round: %s}}]"
                                            .formatted(digits)));
            assertTrue(said.contains("shows everything: round to fewer"), said);
        }
    }
}
