package dev.medley.tenant.door;

import static dev.medley.tenant.door.OpenDoor.A;
import static dev.medley.tenant.door.OpenDoor.B;
import static dev.medley.tenant.door.OpenDoor.OF_A;
import static dev.medley.tenant.door.OpenDoor.OF_B;
import static dev.medley.tenant.door.OpenDoor.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.time.Clock;
import dev.medley.store.file.SmallDisk;
import dev.medley.tenant.audit.AuditCheck;
import dev.medley.tenant.audit.AuditEntry;
import dev.medley.tenant.audit.AuditKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The door is an object store to Amazon's own client, records what it does, and keeps quotas. */
@Tag("real")
class TenantDoorTest {
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

    @Test
    void shouldBeAnObjectStoreToAmazonsOwnClient() throws Exception {
        try (S3Client client = calls.amazon("brown", B)) {
            assertThat(client.listBuckets().buckets())
                    .singleElement()
                    .satisfies(bucket -> assertThat(bucket.name()).isEqualTo("warehouse"));
            List<S3Object> all = client.listObjectsV2(r -> r.bucket("warehouse")).contents();
            assertThat(all)
                    .extracting(S3Object::key)
                    .containsExactly("customers.csv", "customers.parquet");
            assertThat(all.get(0).size()).isEqualTo(OF_B.length());
            assertThat(client.listObjectsV2(r -> r.bucket("warehouse").prefix("pri")).contents())
                    .isEmpty();
            var page = client.listObjectsV2(r -> r.bucket("warehouse").maxKeys(1));
            assertThat(page.isTruncated()).isTrue();
            assertThat(
                            client.listObjectsV2(
                                            r ->
                                                    r.bucket("warehouse")
                                                            .continuationToken(
                                                                    page.nextContinuationToken()))
                                    .contents())
                    .extracting(S3Object::key)
                    .containsExactly("customers.parquet");
            var head = client.headObject(r -> r.bucket("warehouse").key("customers.csv"));
            assertThat(head.contentLength()).isEqualTo(OF_B.length());
            var whole = client.getObjectAsBytes(r -> r.bucket("warehouse").key("customers.csv"));
            assertThat(whole.asUtf8String()).isEqualTo(OF_B);
            assertThat(whole.response().eTag()).isEqualTo(head.eTag()).isEqualTo(all.get(0).eTag());
            assertThat(
                            client.getObjectAsBytes(
                                            r ->
                                                    r.bucket("warehouse")
                                                            .key("customers.csv")
                                                            .range("bytes=3-6"))
                                    .asUtf8String())
                    .isEqualTo(OF_B.substring(3, 7));
            assertThatThrownBy(
                            () ->
                                    client.getObjectAsBytes(
                                            r -> r.bucket("warehouse").key("prices.csv")))
                    .isInstanceOfSatisfying(
                            S3Exception.class,
                            e ->
                                    assertThat(e.awsErrorDetails().errorCode())
                                            .isEqualTo("NoSuchKey"));
            assertThatThrownBy(
                            () ->
                                    client.deleteObject(
                                            r -> r.bucket("warehouse").key("customers.csv")))
                    .isInstanceOfSatisfying(
                            S3Exception.class,
                            e ->
                                    assertThat(e.awsErrorDetails().errorCode())
                                            .isEqualTo("MethodNotAllowed"));
        }
        try (S3Client wrong = calls.amazon("brown", A)) {
            assertThatThrownBy(wrong::listBuckets)
                    .isInstanceOfSatisfying(
                            S3Exception.class,
                            e ->
                                    assertThat(e.awsErrorDetails().errorCode())
                                            .isEqualTo("SignatureDoesNotMatch"));
        }
    }

    @Test
    void shouldSendStretchesAndNothingBehindTheEnd() throws Exception {
        for (String[] each :
                new String[][] {
                    {"bytes=0-0", "i"},
                    {"bytes=-3", OF_A.substring(OF_A.length() - 3)},
                    {"bytes=20-", OF_A.substring(20)},
                    {"bytes=20-999999", OF_A.substring(20)},
                    {"bytes=5-2", OF_A},
                    {"bytes=0-1,3-4", OF_A},
                    {"lines=1-2", OF_A},
                    {"bytes=-999999", OF_A},
                }) {
            HttpRequest.Builder request =
                    calls.signed("GET", TABLE, "acme", A).header("Range", each[0]);
            assertThat(calls.send(request).body()).as(each[0]).isEqualTo(each[1]);
        }
        for (String range :
                List.of("bytes=" + OF_A.length() + "-", "bytes=999999999999-", "bytes=-0")) {
            HttpRequest.Builder request =
                    calls.signed("GET", TABLE, "acme", A).header("Range", range);
            HttpResponse<String> answer = calls.send(request);
            assertThat(answer.statusCode()).as(range).isEqualTo(416);
            assertThat(answer.body()).contains("InvalidRange");
        }
    }

    @Test
    void shouldRecordWhatIsSentBeforeItIsAndHowItEnded() throws Exception {
        assertThat(calls.get(TABLE, "acme", A).body()).isEqualTo(OF_A);
        assertThat(calls.get("/warehouse/broken.csv", "acme", A).statusCode()).isEqualTo(503);
        assertThat(calls.get("/warehouse/prices.csv", "brown", B).statusCode()).isEqualTo(404);
        door.close();
        AuditEntry sends = door.entries(AuditKind.SENDS).get(0);
        assertThat(sends.rows()).isEqualTo(2);
        assertThat(sends.bytes()).isEqualTo(OF_A.length());
        assertThat(door.entries(AuditKind.ENDED))
                .extracting(AuditEntry::outcome)
                .containsExactlyInAnyOrder(
                        "sent",
                        "failed: table broken: column 'n' has a value that is no BIGINT in a row of"
                                + " the caller");
        assertThat(Files.readString(door.log())).doesNotContain("CANARY").doesNotContain(A);
        assertThat(door.said()).contains("table broken").doesNotContain("CANARY");
        door.open();
    }

    @Test
    void shouldKeepQuotasOverARestartAndSayWhenTheyFree() throws Exception {
        door.quotas("rows_per_day: 5, concurrent: 2"); // Followed while it is open.
        assertThat(calls.get(TABLE, "acme", A).statusCode()).isEqualTo(200);
        assertThat(calls.get(TABLE, "acme", A).statusCode()).isEqualTo(200);
        door.reopen();
        calls = door.calls();
        HttpResponse<String> full = calls.get(TABLE, "acme", A);
        assertThat(full.statusCode()).isEqualTo(403);
        assertThat(full.body())
                .contains("QuotaExceeded")
                .contains("at most 5 rows a day: 4 are used and this takes 2; the limit frees at");
        assertThat(full.headers().firstValue("retry-after")).isPresent();
        assertThat(calls.get(TABLE, "brown", B).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldAnswerQueriesOfWhoSignsOrShowsItsToken() throws Exception {
        String question = "{\"table\": \"customers\", \"aggregates\": [{\"count\": \"*\"}]}";
        HttpRequest.Builder signed =
                calls.signed("POST", "/query", "acme", A, question, Duration.ZERO);
        assertThat(calls.send(signed).body()).contains("\"rows\":[[2]]");
        URI at = URI.create("http://127.0.0.1:" + door.port() + "/query");
        HttpRequest.Builder token =
                HttpRequest.newBuilder(at).POST(HttpRequest.BodyPublishers.ofString(question));
        assertThat(calls.send(token.copy().header("Authorization", "Bearer " + B)).body())
                .contains("\"rows\":[[1]]");
        HttpResponse<String> wrong =
                calls.send(token.copy().header("Authorization", "Bearer " + B + "x"));
        assertThat(wrong.statusCode()).isEqualTo(403);
        assertThat(wrong.body()).isEqualTo("{\"error\":\"this token is no caller's\"}");
        String[][] questions = {
            {"{", "the body is not JSON"},
            {question.replace("customers", "prices"), "no such table for this caller"},
            {question.replace("customers", "nothing"), "no such table for this caller"},
            {question.replace("aggregates", "agregates"), "did you mean aggregates"},
            {question.replace("*", "nam"), "name"},
        };
        for (String[] each : questions) {
            HttpRequest.Builder asked =
                    calls.signed("POST", "/query", "brown", B, each[0], Duration.ZERO);
            HttpResponse<String> answer = calls.send(asked);
            assertThat(answer.statusCode()).as(each[0]).isIn(400, 404);
            assertThat(answer.body()).startsWith("{\"error\":").contains(each[1]);
        }
        HttpRequest.Builder changed =
                calls.signed("POST", "/query", "acme", A, question, Duration.ZERO)
                        .POST(HttpRequest.BodyPublishers.ofString(question + " "));
        assertThat(calls.send(changed).body()).contains("the body is not the one");
        HttpRequest.Builder huge =
                calls.signed("POST", "/query", "acme", A, "x".repeat(1 << 20), Duration.ZERO);
        try {
            assertThat(calls.send(huge).statusCode()).isIn(400, 413);
        } catch (IOException e) {
            assertThat(e).isNotNull(); // What is too long may be cut off in its middle.
        }
    }

    @Test
    void shouldRefuseExactlyWhatIsBeyondAQuotaWhenAHundredRace() throws Exception {
        door.quotas("requests_per_minute: 20");
        long minute = Clock.system().wallMillis() / 60_000;
        assertThat(calls.get(TABLE, "acme", A).statusCode()).isEqualTo(200);
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            all.add(calls.begin(calls.signed("HEAD", TABLE, "acme", A)));
        }
        long through = 0;
        for (CompletableFuture<Integer> each : all) {
            int status = each.get();
            assertThat(status).isIn(200, 503);
            through += status == 200 ? 1 : 0;
        }
        if (Clock.system().wallMillis() / 60_000 == minute) {
            assertThat(through).isEqualTo(19);
        }
        assertThat(calls.get(TABLE, "brown", B).statusCode()).isEqualTo(200);
        door.close();
        assertThat(
                        door.entries(AuditKind.BEGAN).stream()
                                .filter(e -> e.ask().caller().equals("acme")))
                .hasSize((int) through + 1);
        door.open();
    }

    @Test
    void shouldAnswerNothingThatItCannotRecord() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1);
                OpenDoor full = new OpenDoor(folder, disk.root().resolve("audit.jsonl"))) {
            SignedCalls asking = full.calls();
            assertThat(asking.get(TABLE, "acme", A).body()).isEqualTo(OF_A);
            Path filler = disk.root().resolve("filler");
            try {
                Files.write(filler, new byte[4 << 20]);
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("space");
            }
            boolean isRefused = false;
            for (int i = 0; i < 30 && !isRefused; i++) { // The last block may have room.
                isRefused = asking.get(TABLE, "acme", A).statusCode() == 503;
            }
            assertThat(isRefused).isTrue();
            assertThat(asking.get(TABLE, "acme", A).body()).contains("ServiceUnavailable");
            Files.delete(filler);
            assertThat(asking.get(TABLE, "acme", A).body()).isEqualTo(OF_A);
            assertThat(Files.readString(full.log())).contains("could not be written before this");
            assertThat(AuditCheck.of(full.log()).broken()).isNull();
        }
    }
}
