package dev.medley.tenant.read;

import static dev.medley.tenant.read.SharedTables.caller;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import dev.medley.tenant.TenantCaller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of policies and of secrets that change while they are in force. */
@Tag("unit")
class ChangedPoliciesTest {
    private static final TenantCaller ALICE = caller("alice", "tenant", "a");
    private static final String ROWS =
            "t: {files: data/t.parquet, rows: row.tenant == caller.tenant}";
    private static final String CALLERS =
            "alice: {secret: \"file:alice.key\", attributes: {tenant: a}}";

    @TempDir Path folder;
    SharedTables shared;
    Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void make() throws IOException {
        shared = new SharedTables(folder).parquet("t", "SELECT 'a' AS tenant, 1 AS n");
        Files.writeString(folder.resolve("alice.key"), "first");
    }

    private TenantTables open() throws IOException {
        return TenantTables.open(shared.policies(ROWS, CALLERS), name -> null, () -> now);
    }

    /** The time of a write is that of the test's clock. */
    private void write(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        Files.setLastModifiedTime(file, FileTime.from(now));
    }

    private static boolean isAllowed(TenantTables tables) {
        return tables.decide(ALICE, "t") instanceof ReadDecision.Allowed;
    }

    @Test
    void shouldTakeAChangeOnlyOnceItRests() throws Exception {
        TenantTables tables = open();
        String before = tables.current().orElseThrow().fileHash();
        String whole = Files.readString(folder.resolve("policies.yaml"));
        String half = whole.replace("rows: row.tenant == caller.tenant", "rows: all");
        write("policies.yaml", half);
        assertEquals(before, tables.current().orElseThrow().fileHash(), "just written");
        now = now.plusSeconds(1);
        write("policies.yaml", half + "#\n");
        now = now.plusMillis(1_999);
        assertEquals(before, tables.current().orElseThrow().fileHash(), "written again");
        now = now.plusMillis(1);
        assertEquals(Sha256.hex(half + "#\n"), tables.current().orElseThrow().fileHash());
        now = now.plusSeconds(1);
        write("policies.yaml", "bucket: [");
        assertTrue(isAllowed(tables), "perhaps half written");
        now = now.plusSeconds(2);
        assertTrue(!isAllowed(tables) && tables.trouble().isPresent(), "it is meant so");
        write("policies.yaml", whole);
        assertTrue(!isAllowed(tables), "wrong until the mended file rests");
        now = now.plusSeconds(2);
        assertTrue(isAllowed(tables) && tables.trouble().isEmpty());
        assertEquals(before, tables.current().orElseThrow().fileHash());
    }

    @Test
    void shouldTakeAFileOfTheFutureWhenItIsSeenTheSameTwice() throws Exception {
        TenantTables tables = open();
        now = now.minus(Duration.ofDays(3_650));
        String text = shared.policies(ROWS + "\n", "bob: {attributes: {tenant: a}}").toString();
        assertTrue(isAllowed(tables), text);
        now = now.plusSeconds(2);
        assertEquals(
                List.of("bob"),
                List.copyOf(tables.current().orElseThrow().policies().callers().keySet()));
    }

    @Test
    void shouldRefuseColumnsOfTwoFilesThatDifferByCapitalsAlone() throws Exception {
        shared.parquet("u1", "SELECT 'a' AS tenant").parquet("u2", "SELECT 'b' AS Tenant");
        ConfigException e =
                assertThrows(
                        ConfigException.class,
                        () -> shared.open("u: {files: data/u*.parquet, rows: all}", CALLERS));
        assertTrue(
                String.valueOf(e.getMessage()).contains("differ by capitals alone"), e::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice.key", "hash.key"})
    void shouldLoadAgainWhereASecretChanges(String name) throws Exception {
        now = Instant.parse("2100-01-01T00:00:00Z");
        TenantTables tables = open();
        PoliciesInForce before = tables.current().orElseThrow();
        write(name, "another secret, long enough");
        assertEquals(before.digest(), tables.current().orElseThrow().digest());
        now = now.plusSeconds(2);
        PoliciesInForce after = tables.current().orElseThrow();
        assertEquals(before.fileHash(), after.fileHash());
        assertNotEquals(before.digest(), after.digest());
        assertNotSame(before.policies(), after.policies(), "read again");
    }

    @Test
    void shouldMakeAnExtractByThePoliciesThatWereAsked() throws Exception {
        TenantTables tables = open();
        PoliciesInForce asked = tables.current().orElseThrow();
        now = Instant.parse("2100-01-01T00:00:00Z");
        shared.policies("t: {files: data/t.parquet}", CALLERS);
        assertThrows(ReadDenied.class, () -> shared.extract(tables, ALICE, "t", ExtractFormat.CSV));
        Path target = folder.resolve("out/t.csv");
        Extract made = tables.extract(asked, ALICE, "t", ExtractFormat.CSV, target, new ReadStop());
        assertEquals(1, made.rows());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t: {files: \"data/a\\0.csv\", rows: all}~alice: {}",
                "t: {files: data/t.parquet, rows: all}~alice: {attributes: {n:"
                        + " 99999999999999999999}}",
                "t: {files: data/t.parquet, rows: all}~alice: {attributes: {n: 1.0e+40}}",
                "t: {files: data/t.parquet, rows: all}~alice: {secret: \"file:a\\0b\"}"
            })
    void shouldSayWhatIsWrongWithTheFileInsteadOfFailing(String text) throws Exception {
        TenantTables tables = open();
        now = Instant.parse("2100-01-01T00:00:00Z");
        String[] parts = text.split("~", -1);
        Path file = shared.policies(parts[0], parts[1]);
        assertTrue(tables.current().isEmpty(), text);
        assertTrue(tables.trouble().orElseThrow().startsWith(file + ":"), tables.trouble()::get);
        assertThrows(ConfigException.class, () -> TenantTables.open(file, name -> null));
    }
}
