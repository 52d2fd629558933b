package dev.medley.cli.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.ModelOfRun;
import dev.medley.serving.batch.BatchLimits;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.http.ModelServer;
import dev.medley.serving.http.ServeCallers;
import dev.medley.serving.http.ServeObservers;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Serves the latest runs of folders on loopback. */
public final class RunServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ModelHost host;
    private final ModelServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    private RunServer(ModelHost host, ModelServer server) {
        this.host = host;
        this.server = server;
    }

    static RunServer of(Path runs) {
        return of(Map.of("m", runs));
    }

    /** The latest run of each folder, under its name. */
    static RunServer of(Map<String, Path> runs) {
        return of(runs, ServeObservers.USUAL);
    }

    /** The same with more that is done beside the answers. */
    static RunServer of(Map<String, Path> runs, ServeObservers observers) {
        ModelHost host =
                new ModelHost(new ServeLimits(BatchLimits.USUAL, null, 1, 1), Clock.system());
        runs.forEach(
                (name, each) ->
                        host.load(new ModelName(name, "1"), ModelOfRun.find(each, "latest")));
        ServeSocket any = ServeSocket.onLoopback(0);
        return new RunServer(
                host,
                ModelServer.open(
                        host,
                        any,
                        ServeCallers.ALL,
                        observers,
                        ServerLimits.usual(),
                        null,
                        Clock.system()));
    }

    int port() {
        return server.address().getPort();
    }

    String root() {
        return "http://127.0.0.1:" + port();
    }

    /** The answer of a path below /v1/models, which succeeds. */
    String post(String path, String body, String type) throws Exception {
        HttpResponse<String> answer = asked(path, body, type);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    /** What is wrong with a body, by a path below /v1/models. */
    String refused(String path, String body, String type) throws Exception {
        HttpResponse<String> answer = asked(path, body, type);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        return Json.parse(answer.body(), JsonNode.class).path("error").asString();
    }

    private HttpResponse<String> asked(String path, String body, String type) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(root() + "/v1/models/" + path))
                        .timeout(PATIENCE)
                        .header("Content-Type", type)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() {
        server.close();
        host.close();
    }
}
