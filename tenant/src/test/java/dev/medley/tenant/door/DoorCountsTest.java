package dev.medley.tenant.door;

import static dev.medley.tenant.door.OpenDoor.A;
import static dev.medley.tenant.door.OpenDoor.B;
import static dev.medley.tenant.door.OpenDoor.OF_A;
import static dev.medley.tenant.door.OpenDoor.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.time.Clock;
import dev.medley.tenant.audit.AuditCheck;
import dev.medley.tenant.audit.AuditKind;
import dev.medley.tenant.audit.AuditLog;
import dev.medley.tenant.read.SharedTables;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Wrong requests count, clocks and keys may change, and nothing that fails is kept. */
@Tag("real")
@Timeout(600)
class DoorCountsTest {
    private static final int DAY_MS = 86_400_000;

    @TempDir private Path folder;

    private OpenDoor door;
    private SignedCalls calls;

    @BeforeEach
    void open() throws Exception {
        door = new OpenDoor(folder);
        calls = door.calls();
    }

    @AfterEach
    void close() throws Exception {
        door.close();
        assertThat(AuditCheck.of(door.log()).broken()).isNull();
    }

    private HttpRequest.Builder question(String body) {
        return calls.signed("POST", "/query", "acme", A, body, Duration.ZERO);
    }

    @Test
    void shouldCountWrongRequestsOverARestartAndNotThoseBeyondTheQuota() throws Exception {
        door.quotas("requests_per_minute: 5");
        List<HttpRequest.Builder> wrong =
                List.of(
                        calls.signed("GET", "/other/x.csv", "acme", A),
                        calls.signed("GET", "/warehouse/x.txt", "acme", A),
                        calls.signed("DELETE", TABLE, "acme", A),
                        question("{"),
                        question("{}").POST(HttpRequest.BodyPublishers.ofString("{ }")),
                        calls.signed("GET", TABLE + "?acl", "acme", A));
        int refused = 0;
        for (int i = 0; i < 60 && refused < 2; i++) { // More than five of some minute.
            HttpResponse<String> answer = calls.send(wrong.get(i % wrong.size()));
            assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
            refused += answer.body().contains("at most 5 requests a minute") ? 1 : 0;
        }
        assertThat(refused).isEqualTo(2);
        long minute = Clock.system().wallMillis() / 60_000;
        for (int i = 0; i < 5; i++) {
            assertThat(calls.send(wrong.get(0)).statusCode()).isIn(404, 503);
        }
        door.reopen();
        calls = door.calls();
        int after = calls.get(TABLE, "acme", A).statusCode();
        if (Clock.system().wallMillis() / 60_000 == minute) {
            assertThat(after).isEqualTo(503);
        }
        assertThat(calls.get(TABLE, "brown", B).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldRecordAFloodOfWrongRequestsInFewLines() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertThat(calls.get("/other/x.csv", "acme", A).statusCode()).isEqualTo(404);
        }
        door.close();
        long seconds =
                door.entries(AuditKind.DENIED).stream()
                        .map(e -> e.atMs() / 1000)
                        .distinct()
                        .count();
        assertThat(door.entries(AuditKind.DENIED)).hasSizeLessThanOrEqualTo((int) seconds * 10);
        door.open();
    }

    @Test
    void shouldJudgeSignaturesByTheMachinesClockWhenTheAuditIsAheadOfIt() throws Exception {
        door.close();
        Clock tomorrow =
                new Clock() {
                    @Override
                    public long nowNs() {
                        return Clock.system().nowNs();
                    }

                    @Override
                    public long wallMillis() {
                        return Clock.system().wallMillis() + DAY_MS;
                    }
                };
        try (AuditLog log = AuditLog.open(door.log(), tomorrow, entry -> {})) {
            log.note("test", "a clock that was put forward");
        }
        door.open();
        calls = door.calls();
        assertThat(calls.get(TABLE, "acme", A).body()).isEqualTo(OF_A);
        assertThat(Files.readString(door.log()))
                .contains("the clock of the machine is 86")
                .contains("s behind that of these entries");
    }

    @Test
    void shouldMakeAnotherExtractWhenTheKeyOfHashesChanges() throws Exception {
        String tables =
                """
                customers:
                  files: data/customers.csv
                  rows: row.tenant == caller.tenant
                  masks: [{columns: name, with: hash}]
                """;
        String callers = "acme: {secret: \"file:acme.key\", attributes: {tenant: acme}}";
        new SharedTables(folder).policies(tables, callers);
        String first = calls.get(TABLE, "acme", A).body();
        SharedTables.rested(folder.resolve("hash.key"), "another key, long enough to be one");
        String second = calls.get(TABLE, "acme", A).body();
        assertThat(second).hasSameSizeAs(first).isNotEqualTo(first);
    }

    @Test
    void shouldSayWhichSecretIsWrongAndRefuseEverybodyUntilItIsMended() throws Exception {
        SharedTables.rested(folder.resolve("brown.key"), "short");
        assertThat(calls.get(TABLE, "acme", A).statusCode()).isEqualTo(503);
        assertThat(door.trouble()).contains("the secret of caller brown has 5 characters");
        SharedTables.rested(folder.resolve("brown.key"), B);
        assertThat(calls.get(TABLE, "acme", A).statusCode()).isEqualTo(200);
        assertThat(door.trouble()).isEmpty();
    }

    @Test
    void shouldKeepNoExtractWhoseMakingEndedInAnError() throws Exception {
        try (ExtractCache cache = new ExtractCache(Clock.system())) {
            assertThatThrownBy(
                            () ->
                                    cache.hold(
                                            List.of("k"),
                                            "t.csv",
                                            into -> {
                                                Files.writeString(into, "half");
                                                throw new StackOverflowError();
                                            }))
                    .isInstanceOf(StackOverflowError.class);
            Path first = folder.resolve("first");
            try (ExtractCache.Held held =
                    cache.hold(
                            List.of("k"),
                            "t.csv",
                            into -> {
                                Files.writeString(into, "whole");
                                Files.writeString(first, "" + into.getParent());
                                return 1;
                            })) {
                assertThat(held.extract().bytes()).isEqualTo(5);
                try (var files = Files.list(Path.of(Files.readString(first)))) {
                    assertThat(files).as("the half one is gone").hasSize(1);
                }
            }
        }
    }
}
