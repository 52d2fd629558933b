package dev.medley.serving.oidc;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Fetches what an issuer tells of itself: small files, over TLS but from this machine. */
final class IssuerFiles implements ResourceRetriever {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 1 << 20;

    private final HttpClient client =
            HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    /** Whether what comes from there cannot be another's. */
    static boolean isSafe(URI uri) {
        if ("https".equals(uri.getScheme())) {
            return uri.getHost() != null;
        }
        try {
            return "http".equals(uri.getScheme())
                    && uri.getHost() != null
                    && InetAddress.getByName(uri.getHost()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    String text(URI uri) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(PATIENCE).GET().build();
        try {
            HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
            CompletableFuture<Void> late =
                    CompletableFuture.runAsync(
                            () -> close(answer.body()),
                            CompletableFuture.delayedExecutor(
                                    PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
            try (InputStream body = answer.body()) {
                byte[] bytes = body.readNBytes(MOST_BYTES + 1);
                if (answer.statusCode() != 200 || bytes.length > MOST_BYTES) {
                    throw new IOException(
                            "%s answers %d with %d bytes"
                                    .formatted(uri, answer.statusCode(), bytes.length));
                }
                return new String(bytes, StandardCharsets.UTF_8);
            } finally {
                boolean unused = late.cancel(false);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Ends who reads there: the client's own bound ends with the headers. */
    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            return; // It ends all the same.
        }
    }

    @Override
    public Resource retrieveResource(URL url) throws IOException {
        try {
            return new Resource(text(url.toURI()), "application/json");
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }
}
