package dev.medley.tenant.door;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Calls a door with requests that Amazon's own signer signs, and whatever else a test adds. */
final class SignedCalls {
    private static final Set<String> OF_THE_CLIENT = Set.of("host", "content-length");

    private final String root;
    private final HttpClient client;

    SignedCalls(int port, HttpClient.Version version) {
        this("http://127.0.0.1:" + port, HttpClient.newBuilder().version(version).build());
    }

    /** To a root such as {@code https://127.0.0.1:9000}. */
    SignedCalls(String root, HttpClient client) {
        this.root = root;
        this.client = client;
    }

    /** Amazon's client with a caller's keys. */
    S3Client amazon(String name, String secret) {
        return S3Client.builder()
                .endpointOverride(URI.create(root))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create(name, secret)))
                .build();
    }

    /** A request that is signed as of now. */
    HttpRequest.Builder signed(String method, String target, String name, String secret) {
        return signed(method, target, name, secret, "", Duration.ZERO);
    }

    /** The same with a body, signed so long ago. */
    HttpRequest.Builder signed(
            String method, String target, String name, String secret, String body, Duration ago) {
        URI uri = URI.create(root + target);
        SdkHttpRequest plain =
                SdkHttpRequest.builder().uri(uri).method(SdkHttpMethod.fromValue(method)).build();
        AwsCredentialsIdentity keys = AwsCredentialsIdentity.create(name, secret);
        SdkHttpRequest signed =
                AwsV4HttpSigner.create()
                        .sign(
                                r ->
                                        r.identity(keys)
                                                .request(plain)
                                                .payload(ContentStreamProvider.fromUtf8String(body))
                                                .putProperty(
                                                        AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                                                .putProperty(
                                                        AwsV4HttpSigner.REGION_NAME, "us-east-1")
                                                .putProperty(
                                                        AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                                                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                                                .putProperty(
                                                        HttpSigner.SIGNING_CLOCK,
                                                        Clock.offset(
                                                                Clock.systemUTC(), ago.negated())))
                        .request();
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        signed.headers()
                .forEach(
                        (header, values) -> {
                            if (!OF_THE_CLIENT.contains(header.toLowerCase(Locale.ROOT))) {
                                values.forEach(value -> request.header(header, value));
                            }
                        });
        return request;
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(
                request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    HttpResponse<String> get(String target, String name, String secret) throws Exception {
        return send(signed("GET", target, name, secret));
    }

    /** Sends without waiting; the status comes later. */
    CompletableFuture<Integer> begin(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode);
    }
}
