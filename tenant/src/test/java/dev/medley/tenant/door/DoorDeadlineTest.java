package dev.medley.tenant.door;

import static dev.medley.tenant.door.OpenDoor.A;
import static dev.medley.tenant.door.OpenDoor.B;
import static dev.medley.tenant.door.OpenDoor.OF_B;
import static dev.medley.tenant.door.OpenDoor.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.tenant.audit.AuditCheck;
import dev.medley.tenant.audit.AuditEntry;
import dev.medley.tenant.audit.AuditKind;
import dev.medley.tenant.read.SharedTables;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nobody waits for is ended, and keeps nobody from its answer. */
@Tag("real")
@Timeout(600)
class DoorDeadlineTest {
    private static final int LINKS = 300;

    @TempDir private Path folder;

    private OpenDoor door;
    private SignedCalls calls;

    @BeforeEach
    void open() throws Exception {
        door = new OpenDoor(folder);
        calls = door.calls();
        SharedTables shared = new SharedTables(folder);
        shared.parquet("part", "SELECT range AS n, range % 1000 AS m FROM range(5000000)");
        Path all = Files.createDirectories(folder.resolve("data/all"));
        for (int i = 0; i < LINKS; i++) { // One file under many names: a table of minutes.
            Files.createLink(all.resolve(i + ".parquet"), folder.resolve("data/part.parquet"));
        }
        shared.policies(
                """
                customers: {files: data/customers.csv, rows: "row.tenant == caller.tenant"}
                all: {files: data/all/*.parquet, rows: "(row.n * 3 + row.m) % 7 == 9"}
                """,
                """
                acme: {secret: "file:acme.key", attributes: {tenant: acme}}
                brown: {secret: "file:brown.key", attributes: {tenant: brown}}
                """);
    }

    @AfterEach
    void close() throws Exception {
        door.close();
        assertThat(AuditCheck.of(door.log()).broken()).isNull();
    }

    @Test
    void shouldEndExtractsAndQuestionsWhoseCallersHaveGone() throws Exception {
        String question = "{\"table\": \"all\", \"aggregates\": [{\"count\": \"*\"}]}";
        List<HttpRequest> requests =
                List.of(
                        calls.signed("GET", "/warehouse/all.csv", "acme", A).build(),
                        calls.signed("POST", "/query", "acme", A, question, Duration.ZERO).build());
        for (HttpRequest request : requests) {
            String body = request.method().equals("POST") ? question : "";
            String head =
                    door.rawHead(request.method(), request.uri().getPath(), request, body.length());
            long ended = door.entries(AuditKind.ENDED).size();
            long began = began();
            try (Socket caller = door.begun(head + body)) {
                while (began() == began && !Thread.interrupted()) {
                    LockSupport.parkNanos(1_000_000);
                }
                assertThat(caller.isConnected()).isTrue();
                assertThat(calls.get(TABLE, "brown", B).body()).isEqualTo(OF_B);
            }
            while (door.entries(AuditKind.ENDED).size() < ended + 2 && !Thread.interrupted()) {
                LockSupport.parkNanos(10_000_000);
            }
            assertThat(door.entries(AuditKind.ENDED))
                    .filteredOn(each -> each.ask().caller().equals("acme"))
                    .extracting(AuditEntry::outcome)
                    .last()
                    .isEqualTo("ended: its caller has gone, or its time was over");
        }
    }

    private long began() throws Exception {
        return door.entries(AuditKind.BEGAN).stream()
                .filter(each -> each.ask().caller().equals("acme"))
                .count();
    }
}
