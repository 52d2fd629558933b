package dev.medley.profile.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.profile.ManualClock;
import dev.medley.profile.record.EvaluationRecord;
import dev.medley.profile.record.MetricValue;
import dev.medley.profile.record.MetricValue.Better;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunEvent.Kind;
import dev.medley.profile.record.Runs;
import dev.medley.profile.record.StepRecord;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("real")
class MetricsServerTest {
    private static final Pattern SAMPLE =
            Pattern.compile(
                    "([a-zA-Z_][a-zA-Z0-9_]*)(\\{([a-z]+=\"([^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)+})?"
                            + " (NaN|[+-]Inf|-?[0-9.]+(E-?[0-9]+)?)");

    private final ManualClock clock = new ManualClock();
    private final HttpClient client = HttpClient.newHttpClient();

    /** More of them than there are threads. */
    @Test
    @Timeout(60)
    void shouldServeOthersAfterSomeWhoAskHalfAQuestion() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (MetricsServer server = MetricsServer.open(0, "made-up")) {
            for (int i = 0; i < 8; i++) {
                Socket half = new Socket(InetAddress.getLoopbackAddress(), server.port());
                half.getOutputStream().write("GET /me".getBytes(StandardCharsets.US_ASCII));
                silent.add(half);
            }
            assertThat(get(server, "/metrics").statusCode()).isEqualTo(200);
        } finally {
            for (Socket half : silent) {
                half.close();
            }
        }
    }

    @Test
    void shouldServeLiveFigures() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, "made-up")) {
            for (long step = 1; step <= 10; step++) {
                server.step(Runs.step(step, clock));
            }
            server.evaluation(Runs.evaluation(5, 0.9, clock));
            server.evaluation(Runs.evaluation(10, 0.8, clock));
            server.event(RunEvent.ofWorker(0, 7, Kind.LOST, 2, "Lost."));
            server.event(RunEvent.of(0, 8, Kind.RESTARTED, "Again."));
            Map<String, Double> samples = parsed(get(server, "/metrics").body());
            assertThat(samples)
                    .containsEntry("medley_run{run=\"made-up\"}", 1.0)
                    .containsEntry("medley_step", 10.0)
                    .containsEntry("medley_steps_total", 10.0)
                    .containsEntry("medley_samples_total", 880.0)
                    .containsEntry("medley_workers", 3.0)
                    .containsEntry("medley_worker_samples_total{worker=\"2\"}", 240.0)
                    .containsEntry("medley_evaluation{metric=\"accuracy\"}", 0.8)
                    .containsEntry("medley_evaluation_best{metric=\"accuracy\"}", 0.9)
                    .containsEntry("medley_events_total{kind=\"lost\"}", 1.0)
                    .containsEntry("medley_events_total{kind=\"restarted\"}", 1.0)
                    .containsEntry("medley_events_total{kind=\"failed\"}", 0.0);
            assertThat(samples.get("medley_loss")).isEqualTo(Runs.step(10, clock).loss());
            assertThat(samples.get("medley_samples_per_second")).isBetween(3800.0, 4200.0);
            assertThat(samples.get("medley_worker_seconds_total{worker=\"1\",phase=\"compute\"}"))
                    .isBetween(0.16, 0.2);
            assertThat(samples.get("medley_coordinator_resident_bytes")).isGreaterThan(1e7);
        }
    }

    @Test
    void shouldServeFromTheFirstMomentOn() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, "new")) {
            HttpResponse<String> response = get(server, "/metrics");
            assertThat(response.headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(parsed(response.body()))
                    .containsEntry("medley_steps_total", 0.0)
                    .doesNotContainKey("medley_loss");
        }
    }

    @Test
    void shouldEscapeLabelsAndSayWhatIsNoNumber() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, "a\"b\\c\nd")) {
            server.step(
                    new StepRecord(
                            1,
                            0,
                            1,
                            1,
                            Double.NaN,
                            1e-9,
                            Double.POSITIVE_INFINITY,
                            1,
                            0,
                            1,
                            List.of()));
            server.evaluation(
                    new EvaluationRecord(
                            1, 0, 1, 0, 1, List.of(new MetricValue("x\ny", 1, Better.LOWER))));
            String text = get(server, "/metrics").body();
            assertThat(text)
                    .contains("medley_run{run=\"a\\\"b\\\\c\\nd\"} 1\n")
                    .contains("medley_loss NaN\n")
                    .contains("medley_gradient_norm +Inf\n")
                    .contains("medley_learning_rate 1.0E-9\n")
                    .contains("{metric=\"x\\ny\"} 1\n");
            parsed(text);
        }
    }

    @Test
    void shouldSayThatAPortIsTakenAndWhatToDo() {
        try (MetricsServer first = MetricsServer.open(0, "first")) {
            assertThatThrownBy(() -> MetricsServer.open(first.port(), "second"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("--metrics " + first.port())
                    .hasMessageContaining("taken")
                    .hasMessageContaining("0 for any free one");
        }
        assertThatThrownBy(() -> MetricsServer.open(70_000, "x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("65535");
    }

    @Test
    void shouldGiveThePortBackWhenClosed() {
        MetricsServer first = MetricsServer.open(0, "first");
        int port = first.port();
        first.close();
        MetricsServer.open(port, "second").close();
    }

    @Test
    void shouldAnswerOtherRequestsWithAHint() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, "x")) {
            assertThat(get(server, "/").statusCode()).isEqualTo(404);
            assertThat(get(server, "/").body()).contains("/metrics");
            HttpRequest post =
                    HttpRequest.newBuilder(URI.create(server.address()))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build();
            assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(405);
        }
    }

    /** Each scrape must be of one moment: samples are 88 times the steps in all of them. */
    @Test
    void shouldServeWholeSnapshotsWhileTheRunGoesOn() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, "x")) {
            AtomicBoolean isDone = new AtomicBoolean();
            Thread writer =
                    new Thread(
                            () -> {
                                for (long step = 1; !isDone.get(); step++) {
                                    server.step(Runs.step(step, clock));
                                }
                            });
            writer.start();
            double last = 0;
            for (int i = 0; i < 50; i++) {
                Map<String, Double> samples = parsed(get(server, "/metrics").body());
                double steps = samples.get("medley_steps_total");
                assertThat(samples.get("medley_samples_total")).isEqualTo(88 * steps);
                assertThat(steps).isGreaterThanOrEqualTo(last);
                last = steps;
            }
            isDone.set(true);
            writer.join();
            assertThat(last).isPositive();
        }
    }

    private HttpResponse<String> get(MetricsServer server, String path) throws Exception {
        URI uri = URI.create(server.address()).resolve(path);
        return client.send(
                HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Reads the format strictly: every sample belongs to the family announced last. */
    private static Map<String, Double> parsed(String text) {
        assertThat(text).endsWith("\n");
        Map<String, Double> samples = new HashMap<>();
        Set<String> families = new HashSet<>();
        String family = "";
        for (String line : text.split("\n", -1)) {
            if (line.startsWith("# HELP ")) {
                family = line.split(" ", -1)[2];
                assertThat(families.add(family)).as("family %s once", family).isTrue();
            } else if (line.startsWith("# TYPE ")) {
                assertThat(line).matches("# TYPE " + family + " (gauge|counter)");
            } else if (!line.isEmpty()) {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                assertThat(sample.group(1)).isEqualTo(family);
                String key = line.substring(0, line.lastIndexOf(' '));
                String value = sample.group(5).replace("Inf", "Infinity");
                assertThat(samples.put(key, Double.valueOf(value))).as(key).isNull();
            }
        }
        return samples;
    }
}
