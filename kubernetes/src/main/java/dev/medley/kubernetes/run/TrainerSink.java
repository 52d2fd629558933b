package dev.medley.kubernetes.run;

import dev.medley.base.Json;
import dev.medley.kubernetes.resource.ProgressStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells Kubeflow Trainer how far a run is, so that {@code kubectl get trainjob} shows it (KEP-2779,
 * feature TrainJobStatus). Trainer says where by three variables of the pod's environment.
 */
public final class TrainerSink implements ProgressSink {
    /** Variable: where to post. */
    public static final String URL = "KUBEFLOW_TRAINER_SERVER_URL";

    /** Variable: a file with a bearer token. */
    public static final String TOKEN = "KUBEFLOW_TRAINER_SERVER_TOKEN";

    /** Variable: a file with the certificates that the server is known by. */
    public static final String CA = "KUBEFLOW_TRAINER_SERVER_CA_CERT";

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int MULTIPLE = 300;

    private final URI url;
    private final Path token;
    private final HttpClient client;

    /** The body of the request. */
    record Body(TrainerStatus trainerStatus) {}

    /** As TrainJob's status has it. */
    record TrainerStatus(
            @Nullable Integer progressPercentage,
            @Nullable Long estimatedRemainingSeconds,
            List<Metric> metrics,
            @Nullable String lastUpdatedTime) {}

    /** A figure by name. */
    record Metric(String name, String value) {}

    private TrainerSink(URI url, Path token, HttpClient client) {
        this.url = url;
        this.token = token;
        this.client = client;
    }

    /** Of a pod's environment; empty where Trainer did not set it. */
    public static Optional<TrainerSink> of(Map<String, String> environment) {
        String url = environment.get(URL);
        String token = environment.get(TOKEN);
        if (url == null || token == null) {
            return Optional.empty();
        }
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(PATIENCE);
        String authority = environment.get(CA);
        if (authority != null) {
            client.sslContext(trusting(Path.of(authority)));
        }
        return Optional.of(new TrainerSink(URI.create(url), Path.of(token), client.build()));
    }

    private static SSLContext trusting(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int i = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("trainer-" + i++, certificate);
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(CA + "=" + file + " cannot be used", e);
        }
    }

    @Override
    public void tell(ProgressStatus progress) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(url)
                            .timeout(PATIENCE)
                            .header("Content-Type", "application/json")
                            // Read anew: the token is replaced before it expires.
                            .header("Authorization", "Bearer " + Files.readString(token).strip())
                            .POST(HttpRequest.BodyPublishers.ofString(Json.line(body(progress))))
                            .build();
            HttpResponse<String> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() < OK || answer.statusCode() >= MULTIPLE) {
                throw new IllegalStateException(
                        "Trainer's server answers %d: %s"
                                .formatted(answer.statusCode(), answer.body()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static Body body(ProgressStatus progress) {
        Map<String, String> figures = new TreeMap<>();
        put(figures, "loss", progress.loss());
        put(figures, "samples_per_second", progress.samplesPerSecond());
        put(figures, "step", progress.step());
        put(figures, "workers", progress.workers());
        List<Metric> metrics = new ArrayList<>();
        figures.forEach((name, value) -> metrics.add(new Metric(name, value)));
        String done = progress.done();
        Long remaining = progress.remainingSeconds();
        return new Body(
                new TrainerStatus(
                        done == null ? null : Integer.valueOf(done.replaceAll("\\D.*", "")),
                        remaining == null ? null : Math.min(remaining, Integer.MAX_VALUE),
                        metrics,
                        progress.time()));
    }

    private static void put(Map<String, String> figures, String name, @Nullable Object value) {
        if (value != null) {
            figures.put(name, value.toString());
        }
    }
}
