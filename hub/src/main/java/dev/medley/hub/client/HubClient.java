package dev.medley.hub.client;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.fleet.state.Tenure;
import dev.medley.hub.service.AgentOrders;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.HubService;
import dev.medley.hub.service.JobCurve;
import dev.medley.hub.service.JobReason;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.LogPart;
import dev.medley.hub.service.Submission;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks a hub over HTTP. What the hub refuses is a {@link ConfigException} with its sentence; a hub
 * that does not answer is a {@link HubAwayException}.
 *
 * <p>Thread: any.
 */
public final class HubClient implements HubService {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient http;
    private final URI base;
    private final String token;

    /**
     * A client of a hub.
     *
     * @param address host and port
     * @param token of whom it speaks for
     * @param tls certificates of both sides; null for plain connections, on loopback
     */
    public HubClient(String address, String token, @Nullable SSLContext tls) {
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(5));
        if (tls != null) {
            builder.sslContext(tls);
        }
        http = builder.build();
        base = URI.create((tls == null ? "http://" : "https://") + address + "/api/v1/");
        this.token = token;
    }

    @Override
    public JobStatus submit(Submission submission) {
        return post("jobs", submission, JobStatus.class);
    }

    @Override
    public List<JobStatus> jobs() {
        return List.of(get("jobs", JobStatus[].class));
    }

    @Override
    public JobStatus job(long id) {
        return get("jobs/" + id, JobStatus.class);
    }

    @Override
    public JobReason why(long id) {
        return get("jobs/" + id + "/why", JobReason.class);
    }

    @Override
    public JobStatus cancel(long id) {
        return post("jobs/" + id + "/cancel", null, JobStatus.class);
    }

    @Override
    public JobStatus pause(long id) {
        return post("jobs/" + id + "/pause", null, JobStatus.class);
    }

    @Override
    public JobStatus resume(long id) {
        return post("jobs/" + id + "/resume", null, JobStatus.class);
    }

    @Override
    public LogPart log(long id, long fromByte) {
        return get("jobs/" + id + "/log?from=" + fromByte, LogPart.class);
    }

    @Override
    public JobCurve curve(long id) {
        return get("jobs/" + id + "/curve", JobCurve.class);
    }

    @Override
    public FleetStatus fleet() {
        return get("fleet", FleetStatus.class);
    }

    @Override
    public List<Tenure> timeline(double sinceEpochS) {
        return List.of(get("timeline?since=" + sinceEpochS, Tenure[].class));
    }

    @Override
    public AgentOrders report(AgentReport report) {
        return post("agents", report, AgentOrders.class);
    }

    private <T> T get(String path, Class<T> type) {
        return send(request(path).GET().build(), type);
    }

    private <T> T post(String path, @Nullable Object body, Class<T> type) {
        String json = body == null ? "" : Json.line(body);
        return send(request(path).POST(BodyPublishers.ofString(json)).build(), type);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json");
    }

    private <T> T send(HttpRequest request, Class<T> type) {
        try {
            HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                throw new ConfigException(sentence(answer));
            }
            return Json.parse(answer.body(), type);
        } catch (IOException e) {
            throw new HubAwayException(
                    "no hub answers at %s (%s); start it with medley hub, or give its address with"
                                    .formatted(base.getAuthority(), reason(e))
                            + " --hub",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HubAwayException("interrupted while a hub was asked", e);
        }
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static String sentence(HttpResponse<byte[]> answer) {
        try {
            JsonNode error = Json.parse(answer.body(), JsonNode.class).get("error");
            return error == null ? "the hub answered " + answer.statusCode() : error.asString();
        } catch (RuntimeException e) {
            return "the hub answered %d".formatted(answer.statusCode());
        }
    }
}
