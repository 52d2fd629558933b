package dev.medley.hub.client;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.net.tls.Credentials;
import dev.medley.net.tls.TlsFailure;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Carries requests to a hub and its answers back. */
final class HubCalls {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Duration ONCE = Duration.ofSeconds(75);
    private static final int ATTEMPTS = 3;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final String BUILD_HEADER = "medley-build";

    private final HubAddress address;
    private final String root;
    private final String token;
    private final boolean isPlain;
    private final HttpClient http;

    HubCalls(HubAddress address, String token, @Nullable Credentials credentials) {
        this.address = address;
        this.token = token;
        this.isPlain = credentials == null;
        this.root = (isPlain ? "http://" : "https://") + address.authority();
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .followRedirects(HttpClient.Redirect.NEVER);
        if (credentials != null) {
            builder.sslContext(credentials.sides().context());
        }
        this.http = builder.build();
    }

    /** Where the hub is, without a path. */
    String root() {
        return root;
    }

    /** A question. */
    <T> T get(String path, Class<T> type) {
        return repeated(request(path).timeout(ANSWER).GET().build(), type);
    }

    /** Something that may be said twice. */
    <T> T again(String path, @Nullable Object body, Class<T> type) {
        return repeated(post(path, body).timeout(ANSWER).build(), type);
    }

    /** Something that must not be done twice. */
    <T> T once(String path, @Nullable Object body, Class<T> type) {
        try {
            return read(sent(post(path, body).timeout(ONCE).build()), type);
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw away(e);
        } catch (IOException e) {
            throw new ConfigException(
                    "%s, and whether it has done this is not known: look before you ask again"
                            .formatted(away(e).getMessage()),
                    e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + "/api/v1" + path))
                .header("Authorization", "Bearer " + token)
                .header(BUILD_HEADER, Version.build())
                .header("Accept", "application/json");
    }

    private HttpRequest.Builder post(String path, @Nullable Object body) {
        return body == null
                ? request(path).POST(BodyPublishers.noBody())
                : request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(Json.bytes(body)));
    }

    private <T> T repeated(HttpRequest request, Class<T> type) {
        for (int attempt = 1; ; attempt++) {
            boolean isLast = attempt == ATTEMPTS;
            try {
                HttpResponse<byte[]> answer = sent(request);
                if (answer.statusCode() != 503 || isLast) {
                    return read(answer, type);
                }
            } catch (IOException e) {
                if (isLast || TlsFailure.isLasting(e) || e instanceof HttpTimeoutException) {
                    throw away(e);
                }
            }
            LockSupport.parkNanos(PAUSE_NS * attempt); // Waking early only shortens the pause.
        }
    }

    private HttpResponse<byte[]> sent(HttpRequest request) throws IOException {
        try {
            return http.send(request, BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConfigException("interrupted while the hub at " + address + " was asked", e);
        }
    }

    private <T> T read(HttpResponse<byte[]> answer, Class<T> type) {
        try {
            if (answer.statusCode() == 200) {
                return Json.parseWhole(answer.body(), type);
            }
            String said = Json.parseWhole(answer.body(), Failed.class).error();
            throw answer.statusCode() >= 500
                    ? new HubAwayException(said)
                    : new ConfigException(said);
        } catch (JacksonException e) {
            String theirs = answer.headers().firstValue(BUILD_HEADER).orElse("");
            String ours = Version.build();
            throw new ConfigException(
                    theirs.equals(ours) || theirs.isEmpty()
                            ? "what answers at %s is no hub of Medley (status %d)"
                                    .formatted(address, answer.statusCode())
                            : "the hub at %s is Medley %s and this is %s: use one build on all machines"
                                    .formatted(address, theirs, ours),
                    e);
        }
    }

    private ConfigException away(IOException e) {
        if (TlsFailure.isLasting(e)) {
            return new ConfigException(TlsFailure.sentence("the hub at " + address, e), e);
        }
        if (e instanceof HttpTimeoutException && !(e instanceof HttpConnectTimeoutException)) {
            return new HubAwayException(
                    "the hub at %s did not answer in time".formatted(address), e);
        }
        String said = e.getMessage() == null ? "nobody answers there" : e.getMessage();
        if (isPlain && !(e instanceof ConnectException) && !(e instanceof HttpTimeoutException)) {
            said += "; one that other machines reach wants credentials";
        }
        return new HubAwayException(
                "no hub answers at %s (%s): is medley hub running there?".formatted(address, said),
                e);
    }

    private record Failed(String error) {}
}
