package dev.medley.cli.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.cli.option.ModelOfRun;
import dev.medley.serving.batch.BatchLimits;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.http.ModelServer;
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

/** Serves the latest run of a folder on loopback, as {@code m}. */
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
        ModelHost host =
                new ModelHost(new ServeLimits(BatchLimits.USUAL, null, 1, 1), Clock.system());
        host.load(new ModelName("m", "1"), ModelOfRun.find(runs, "latest"));
        ServeSocket any = ServeSocket.onLoopback(0);
        return new RunServer(
                host, ModelServer.open(host, any, ServerLimits.usual(), Clock.system()));
    }

    String root() {
        return "http://127.0.0.1:" + server.address().getPort();
    }

    /** The answer of a path below /v1/models, which succeeds. */
    String post(String path, String body, String type) throws Exception {
        HttpResponse<String> answer =
                client.send(
                        HttpRequest.newBuilder(URI.create(root() + "/v1/models/" + path))
                                .timeout(PATIENCE)
                                .header("Content-Type", type)
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    @Override
    public void close() {
        server.close();
        host.close();
    }
}
