package dev.medley.record.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.record.ManualClock;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.LinkTotals.Reach;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.MetricValue.Better;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunEvent.Kind;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.Runs;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerRecord;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunRecorder;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class MetricsServerTest {
    private static final Pattern SAMPLE =
            Pattern.compile(
                    "([a-zA-Z_][a-zA-Z0-9_]*)(\\{([a-z_]+=\"([^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)+})?"
                            + " (NaN|[+-]Inf|-?[0-9.]+(E-?[0-9]+)?)");

    private final ManualClock clock = new ManualClock();
    private final HttpClient client = HttpClient.newHttpClient();

    /** More of them than there are threads. */
    @Test
    @Timeout(600)
    void shouldServeOthersAfterSomeWhoAskHalfAQuestion() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (MetricsServer server = MetricsServer.open(0, info("made-up"))) {
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
        try (MetricsServer server = MetricsServer.open(0, info("made-up"))) {
            for (long step = 1; step <= 10; step++) {
                server.step(Runs.step(step, clock));
            }
            server.evaluation(Runs.evaluation(5, 0.9, clock));
            server.evaluation(Runs.evaluation(10, 0.8, clock));
            server.worker(new WorkerRecord(0, 3, 1, List.of(), "gpu-1", null));
            server.plan(
                    new PlanRecord(
                            0,
                            1,
                            1,
                            List.of(3, 1),
                            Runs.plan(1, 1, clock).plan(),
                            List.of("aws", "")));
            server.links(List.of(new LinkTotals(3, 1, Reach.BETWEEN_SITES, 500, 900)));
            server.links(List.of(new LinkTotals(3, 1, Reach.BETWEEN_SITES, 500, 900)));
            server.links(List.of(new LinkTotals(2, 1, Reach.INSIDE_SITE, 5, 5)));
            server.step(Runs.step(10, clock)); // Taken again.
            server.event(RunEvent.ofWorker(0, 7, Kind.LOST, 2, "Lost."));
            server.event(RunEvent.of(0, 8, Kind.RESTARTED, "Again."));
            Map<String, Double> samples = parsed(get(server, "/metrics").body());
            assertThat(samples)
                    .containsEntry(
                            "medley_run_info{run=\"\",job=\"made-up\",version=\"1.2\","
                                    + "model=\"mlp\",strategy=\"diloco\"}",
                            1.0)
                    .containsEntry("medley_step", 10.0)
                    .containsEntry("medley_steps_total", 11.0)
                    .containsEntry("medley_samples_total", 968.0)
                    .containsEntry("medley_workers", 3.0)
                    .containsEntry(
                            "medley_worker_samples_total{worker=\"worker-3\",machine=\"gpu-1\",site=\"aws\"}",
                            176.0)
                    .containsEntry(
                            "medley_link_sent_bytes_total{from=\"worker-3\",to=\"worker-1\","
                                    + "from_machine=\"gpu-1\","
                                    + "to_machine=\"\",from_site=\"aws\",to_site=\"\","
                                    + "reach=\"between_sites\"}",
                            1000.0)
                    .containsEntry("medley_evaluation{metric=\"accuracy\"}", 0.8)
                    .containsEntry("medley_evaluation_best{metric=\"accuracy\"}", 0.9)
                    .containsEntry("medley_events_total{kind=\"lost\"}", 1.0)
                    .containsEntry("medley_events_total{kind=\"restarted\"}", 1.0)
                    .containsEntry("medley_events_total{kind=\"failed\"}", 0.0);
            assertThat(samples.keySet())
                    .as("series of the lost end")
                    .noneMatch(name -> name.contains("worker-2"));
            assertThat(samples.get("medley_goodput_samples_per_second")).isPositive();
            assertThat(samples.get("medley_loss")).isEqualTo(Runs.step(10, clock).loss());
            assertThat(samples.get("medley_samples_per_second")).isBetween(3800.0, 4200.0);
            assertThat(
                            samples.get(
                                    "medley_worker_seconds_total{worker=\"worker-1\","
                                            + "machine=\"\",site=\"\",phase=\"compute\"}"))
                    .isBetween(0.17, 0.23);
            assertThat(samples.get("medley_coordinator_resident_bytes")).isGreaterThan(1e7);
        }
    }

    /** Members of a lost group tell its last steps when the next group is there. */
    @Test
    void shouldKeepSeriesEndedOfWhomFiguresComeLate() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, info("made-up"))) {
            server.step(Runs.step(1, clock));
            server.event(RunEvent.ofWorker(0, 2, Kind.LOST, 2, "Lost."));
            server.event(RunEvent.ofWorker(0, 2, Kind.LEFT, 3, "Left."));
            server.step(Runs.step(2, clock));
            server.links(
                    List.of(
                            new LinkTotals(1, 2, Reach.INSIDE_SITE, 5, 5),
                            new LinkTotals(2, 1, Reach.INSIDE_SITE, 5, 5),
                            new LinkTotals(3, 1, Reach.INSIDE_SITE, 5, 5)));
            assertThat(parsed(get(server, "/metrics").body()).keySet())
                    .noneMatch(name -> name.contains("worker-2") || name.contains("worker-3"))
                    .anyMatch(name -> name.contains("worker-1"));
        }
    }

    @Test
    void shouldServeFromTheFirstMomentOn() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, info("new"))) {
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
        try (MetricsServer server = MetricsServer.open(0, info("a\"b\\c\nd"))) {
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
                    .contains("job=\"a\\\"b\\\\c\\nd\"")
                    .contains("medley_loss NaN\n")
                    .contains("medley_gradient_norm +Inf\n")
                    .contains("medley_learning_rate 1.0E-9\n")
                    .contains("{metric=\"x\\ny\"} 1\n");
            parsed(text);
        }
    }

    @Test
    void shouldSayThatAPortIsTakenAndWhatToDo() {
        try (MetricsServer first = MetricsServer.open(0, info("first"))) {
            assertThatThrownBy(() -> MetricsServer.open(first.port(), info("second")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("--metrics " + first.port())
                    .hasMessageContaining("taken")
                    .hasMessageContaining("0 for any free one");
        }
        for (String wrong : List.of("70000", "x", "::1:9100", ":9100", "a:b")) {
            assertThatThrownBy(() -> Serving.parse(wrong))
                    .as(wrong)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("--metrics");
        }
        assertThat(Serving.parse("9100")).isEqualTo(new Serving("127.0.0.1", 9100, false));
        assertThat(Serving.parse("[::1]:0").withPage()).isEqualTo(new Serving("::1", 0, true));
        assertThat(Serving.parse("0.0.0.0:9").host()).isEqualTo("0.0.0.0");
    }

    @Test
    void shouldGiveThePortBackWhenClosed() {
        MetricsServer first = MetricsServer.open(0, info("first"));
        int port = first.port();
        first.close();
        MetricsServer.open(port, info("second")).close();
    }

    @Test
    void shouldAnswerOtherRequestsWithAHint() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, info("x"))) {
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

    @Test
    void thePageShouldFollowTheRunUntilItsEndIsSeen(@TempDir Path runs) throws Exception {
        MetricsServer server = MetricsServer.open(Serving.live(), info("x"));
        try (RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock)) {
            assertThat(get(server, "/").body()).contains("http-equiv=\"refresh\"");
            server.follow(recorder.folder());
            recorder.step(Runs.step(1, clock));
            assertThat(get(server, "/").body())
                    .contains("data-live=\"follow\"", "connect-src 'self'", "chart-data");
            recorder.finish(RunStatus.DONE, "All is done.", null);
            Thread ending = new Thread(server::close);
            ending.start();
            String last = get(server, "/").body();
            while (!last.contains("data-live=\"over\"")) {
                last = get(server, "/").body();
            }
            assertThat(last).contains("All is done.");
            ending.join(30_000);
            assertThat(ending.isAlive()).isFalse();
        }
    }

    @Test
    void namesThatLeadToTheLoopbackShouldNotRead() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, info("x"));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(
                            "GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain("medley_");
        }
    }

    /** Each costs a descriptor, and a run has other uses for those. */
    @Test
    void callersWhoAskNothingShouldNotGather() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try (MetricsServer server = MetricsServer.open(0, info("x"))) {
            for (int i = 0; i < 120; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
            }
            Socket last = idle.get(idle.size() - 1);
            last.setSoTimeout(3_000); // Before the first has to go.
            assertThat(last.getInputStream().read()).as("it was sent away").isEqualTo(-1);
            for (Socket socket : idle) {
                socket.setSoTimeout(30_000);
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(get(server, "/metrics").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    /** Each scrape must be of one moment: samples are 88 times the steps in all of them. */
    @Test
    void shouldServeWholeSnapshotsWhileTheRunGoesOn() throws Exception {
        try (MetricsServer server = MetricsServer.open(0, info("x"))) {
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

    private static RunLabels info(String job) {
        return new RunLabels("", job, "1.2", "mlp", "diloco");
    }
}
