package dev.medley.profile.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.medley.base.ConfigException;
import dev.medley.profile.machine.ProcessMemory;
import dev.medley.profile.record.EvaluationRecord;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunObserver;
import dev.medley.profile.record.StepRecord;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves a run's live figures at {@code http://127.0.0.1:PORT/metrics}. Follows the run as an
 * observer: one thread at a time writes, HTTP threads read the snapshot that was published last.
 */
public final class MetricsServer implements RunObserver, AutoCloseable {
    private static final int THREADS = 2;
    private static final int BACKLOG = 16;

    /** Of the JDK's server, in seconds: who asks half a question would keep a thread for good. */
    private static final List<String> LIMITS =
            List.of("sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime");

    private static final String LIMIT_S = "5";

    private final String run;
    private final HttpServer server;
    private final ExecutorService threads;
    private volatile LiveFigures figures = LiveFigures.none();

    private MetricsServer(String run, HttpServer server, ExecutorService threads) {
        this.run = run;
        this.server = server;
        this.threads = threads;
    }

    /** Complains about a number that is no port. */
    public static void requirePort(int port) {
        ConfigException.check(
                port >= 0 && port <= 65535,
                "--metrics %d: a port is a number from 0 (any free one) to 65535",
                port);
    }

    /**
     * Listens on this machine alone.
     *
     * @param port to listen on; 0 for any free one, see {@link #port}. One that is taken or not
     *     allowed is a {@link ConfigException}.
     * @param run name of the run, for the label
     */
    public static MetricsServer open(int port, String run) {
        return open(InetAddress.getLoopbackAddress(), port, run);
    }

    /** Like {@link #open(int, String)}, for whoever reaches {@code address}. */
    public static MetricsServer open(InetAddress address, int port, String run) {
        requirePort(port);
        LIMITS.forEach(name -> System.setProperty(name, System.getProperty(name, LIMIT_S)));
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(address, port), BACKLOG);
        } catch (IOException e) {
            throw unusable(address, port, e);
        }
        ExecutorService threads =
                Executors.newFixedThreadPool(
                        THREADS,
                        work -> {
                            Thread thread = new Thread(work, "metrics");
                            thread.setDaemon(true);
                            return thread;
                        });
        MetricsServer metrics = new MetricsServer(run, server, threads);
        server.createContext("/", metrics::answer);
        server.setExecutor(threads);
        server.start();
        return metrics;
    }

    /** The port that it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Where Prometheus finds it. */
    public String address() {
        return "http://"
                + server.getAddress().getAddress().getHostAddress()
                + ":"
                + port()
                + "/metrics";
    }

    @Override
    public void step(StepRecord step) {
        figures = figures.plus(step);
    }

    @Override
    public void evaluation(EvaluationRecord evaluation) {
        figures = figures.plus(evaluation);
    }

    @Override
    public void event(RunEvent event) {
        figures = figures.plus(event);
    }

    /** Stops listening. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** What a scrape gets now. */
    String text() {
        Exposition out = new Exposition();
        out.gauge("medley_run", "The run that these figures are of.").sample(1, "run", run);
        figures.writeTo(out);
        out.gauge("medley_coordinator_resident_bytes", "Memory of the coordinating process in RAM.")
                .sample(ProcessMemory.residentBytes());
        return out.text();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                reply(exchange, 405, "only GET and HEAD\n");
            } else if (exchange.getRequestURI().getPath().equals("/metrics")) {
                reply(exchange, 200, text());
            } else {
                reply(exchange, 404, "the figures are at /metrics\n");
            }
        }
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders()
                .set(
                        "Content-Type",
                        status == 200 ? Exposition.CONTENT_TYPE : "text/plain; charset=utf-8");
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isHead ? -1 : body.length);
        if (!isHead) {
            exchange.getResponseBody().write(body);
        }
    }

    private static ConfigException unusable(InetAddress address, int port, IOException e) {
        String message = String.valueOf(e.getMessage());
        boolean isTaken =
                e instanceof BindException
                        && message.toLowerCase(Locale.ROOT).contains("already in use");
        return new ConfigException(
                String.format(
                        Locale.ROOT,
                        "--metrics %d: %s (%s); choose another port, or 0 for any free one",
                        port,
                        isTaken
                                ? "the port is taken by another program"
                                : "cannot listen on " + address.getHostAddress(),
                        message),
                e);
    }
}
