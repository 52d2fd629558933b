package dev.medley.tenant.door;

import static dev.medley.tenant.door.OpenDoor.A;
import static dev.medley.tenant.door.OpenDoor.B;
import static dev.medley.tenant.door.OpenDoor.OF_A;
import static dev.medley.tenant.door.OpenDoor.OF_B;
import static dev.medley.tenant.door.OpenDoor.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.tenant.audit.AuditCheck;
import dev.medley.tenant.audit.AuditKind;
import java.io.IOException;
import java.net.http.HttpClient;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody gets another's rows through the door, whatever he sends. */
@Tag("real")
class DoorAttackTest {
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

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void shouldKnowNoCallerByItsConnection(HttpClient.Version version) throws Exception {
        SignedCalls one = new SignedCalls(door.port(), version);
        for (int i = 0; i < 5; i++) {
            HttpResponse<String> ofA = one.get(TABLE, "acme", A);
            HttpResponse<String> ofB = one.get(TABLE, "brown", B);
            assertThat(ofA.version()).isEqualTo(version);
            assertThat(ofA.body()).isEqualTo(OF_A);
            assertThat(ofB.body()).isEqualTo(OF_B);
            String tagOfA = ofA.headers().firstValue("etag").orElseThrow();
            assertThat(ofB.headers().firstValue("etag")).isNotEqualTo(tagOfA);
            // The other's tag finds nothing of the other's in the cache.
            assertThat(
                            one.send(
                                            one.signed("GET", TABLE, "brown", B)
                                                    .header("If-None-Match", tagOfA))
                                    .body())
                    .isEqualTo(OF_B);
            assertThat(
                            one.send(
                                            one.signed("GET", TABLE, "brown", B)
                                                    .header("If-Match", tagOfA))
                                    .statusCode())
                    .isEqualTo(412);
        }
    }

    @Test
    void shouldHeedNothingButTheSignature() throws Exception {
        for (String header :
                List.of(
                        "x-user",
                        "X-Forwarded-User",
                        "X-Remote-User",
                        "x-tenant",
                        "Forwarded",
                        "Cookie",
                        "x-acme-caller")) {
            HttpRequest.Builder request =
                    calls.signed("GET", TABLE, "brown", B).header(header, "acme");
            assertThat(calls.send(request).body()).as(header).isEqualTo(OF_B);
        }
        HttpRequest.Builder meta =
                calls.signed("GET", TABLE, "brown", B).header("x-amz-meta-user", "acme");
        assertThat(calls.send(meta).statusCode()).isEqualTo(403);
        for (String query :
                List.of(
                        "?user=acme",
                        "?AWSAccessKeyId=acme",
                        "?versionId=1",
                        "?acl",
                        "?X-Amz-Credential=acme")) {
            assertThat(calls.get(TABLE + query, "brown", B).statusCode()).as(query).isIn(403, 501);
        }
    }

    @Test
    void shouldRefuseWhoDoesNotProveWhoHeIs() throws Exception {
        String at = "http://127.0.0.1:" + door.port() + TABLE;
        HttpRequest.Builder bare = HttpRequest.newBuilder(java.net.URI.create(at));
        assertThat(calls.send(bare).body()).contains("<Code>AccessDenied</Code>");
        assertThat(calls.get(TABLE, "nobody", A).body()).contains("SignatureDoesNotMatch");
        assertThat(calls.get(TABLE, "nobody", "nobody").body()).contains("SignatureDoesNotMatch");
        assertThat(calls.get(TABLE, "acme", B).body()).contains("SignatureDoesNotMatch");
        assertThat(calls.get(TABLE + "?X-Amz-Signature=0", "acme", A).body()).contains("presigned");
        assertThat(
                        calls.send(
                                        calls.signed(
                                                "GET",
                                                TABLE,
                                                "acme",
                                                A,
                                                "",
                                                Duration.ofMinutes(16)))
                                .body())
                .contains("RequestTimeTooSkewed");
        assertThat(
                        calls.send(
                                        calls.signed(
                                                "GET",
                                                TABLE,
                                                "acme",
                                                A,
                                                "",
                                                Duration.ofMinutes(-16)))
                                .body())
                .contains("RequestTimeTooSkewed");
        assertThat(
                        calls.send(
                                        calls.signed(
                                                "GET",
                                                TABLE,
                                                "acme",
                                                A,
                                                "",
                                                Duration.ofMinutes(14)))
                                .statusCode())
                .isEqualTo(200);
        HttpRequest signed = calls.signed("GET", "/warehouse/prices.csv", "acme", A).build();
        HttpRequest.Builder other = HttpRequest.newBuilder(java.net.URI.create(at));
        signed.headers()
                .map()
                .forEach((name, values) -> values.forEach(v -> other.header(name, v)));
        assertThat(calls.send(other).body())
                .as("a signature of another path")
                .contains("SignatureDoesNotMatch");
        for (String header :
                List.of(
                        "AWS4-HMAC-SHA256 ",
                        "AWS4-HMAC-SHA256 Credential=acme/1/2/s3/aws4_request, SignedHeaders=,"
                                + " Signature="
                                + "0".repeat(64),
                        "AWS4-HMAC-SHA256 a=b,a=b",
                        "Basic YTpi",
                        "Bearer " + A,
                        "AWS acme:x")) {
            HttpRequest.Builder odd =
                    HttpRequest.newBuilder(java.net.URI.create(at)).header("Authorization", header);
            assertThat(calls.send(odd).statusCode()).as(header).isIn(400, 403);
        }
        assertThat(door.entries(AuditKind.DENIED))
                .hasSizeGreaterThanOrEqualTo(9)
                .allSatisfy(each -> assertThat(each.ask().caller()).isEmpty());
    }

    @Test
    void shouldLeadNowhereByTricksOfPaths() throws Exception {
        Files.createSymbolicLink(
                door.folder().resolve("data/linked.csv"), door.folder().resolve("acme.key"));
        List<String> paths =
                List.of(
                        "/warehouse/..%2fcustomers.csv",
                        "/warehouse/%2e%2e/%2e%2e/etc/passwd",
                        "/warehouse/..%252fcustomers.csv",
                        "/warehouse/customers.csv%00.parquet",
                        "/warehouse/prices.csv",
                        "/warehouse/prices%2ecsv",
                        "/warehouse//prices.csv",
                        "/warehouse/acme.key",
                        "/warehouse/audit.jsonl",
                        "/warehouse/CUSTOMERS.csv",
                        "/warehouse/.csv",
                        "/warehouse/customers.csv/",
                        "/other/customers.csv",
                        "/warehouse%2fcustomers.csv%2f..",
                        "/warehouse/%ff.csv",
                        "/warehouse/%",
                        "/warehouse/linked.csv",
                        "/warehouse/data/customers.csv");
        for (String path : paths) {
            HttpResponse<String> answer = null;
            try {
                answer = calls.get(path, "brown", B);
            } catch (IllegalArgumentException e) { // Java's client sends no such thing.
                assertThat(door.raw("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                        .as(path)
                        .contains(" 40")
                        .doesNotContain("CANARY");
            }
            if (answer != null) {
                assertThat(answer.statusCode()).as(path).isIn(400, 403, 404);
                assertThat(answer.body()).doesNotContain("CANARY");
            }
        }
    }

    @Test
    void shouldHoldAgainstBytesThatAreNoRequests() throws Exception {
        for (String odd :
                List.of(
                        "\0\0\0\0\r\n\r\n",
                        "GET / HTTP/1.1\r\n" + "a: b\r\n".repeat(20_000) + "\r\n",
                        "GET " + "x".repeat(100_000) + " HTTP/1.1\r\n\r\n",
                        "POST /query HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n{",
                        """
                        GET /warehouse/../../etc/passwd HTTP/1.1\r
                        Host: x\r
                        Connection: close\r
                        \r
                        """)) {
            try {
                assertThat(door.raw(odd)).doesNotContain(" 200 ").doesNotContain("root:");
            } catch (IOException e) {
                assertThat(e).isNotNull(); // His own connection ends.
            }
        }
        assertThat(calls.get(TABLE, "acme", A).body()).isEqualTo(OF_A);
    }
}
