package dev.medley.record.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.profile.system.ProcessMemory;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunObserver;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerRecord;
import dev.medley.record.folder.RunFolder;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves a run's live figures at {@code http://HOST:PORT/metrics}, and its page at {@code /} where
 * that was asked for. Follows the run as an observer: one thread at a time writes, HTTP threads
 * read the snapshot that was published last.
 */
public final class MetricsServer implements RunObserver, AutoCloseable {
    private static final int THREADS = 8;
    private static final int BACKLOG = 128;
    private static final String PLAIN = "text/plain; charset=utf-8";

    /**
     * Of the JDK's server, which has none by itself: who asks half a question, or takes no answer,
     * would keep a thread for good, and whoever only connects a descriptor. A page of some
     * megabytes takes its time over a slow link. Seconds; the last one is in milliseconds: how
     * often callers are looked for who say nothing.
     */
    private static final Map<String, String> LIMITS =
            Map.of(
                    "sun.net.httpserver.maxReqTime", "5",
                    "sun.net.httpserver.maxRspTime", "60",
                    "jdk.httpserver.maxConnections", "64",
                    "sun.net.httpserver.clockTick", "1000");

    /** How long the end of a run is kept for whoever follows it. */
    private static final long LAST_PAGE_NS = TimeUnit.SECONDS.toNanos(5);

    private volatile RunLabels run;
    private final @Nullable LivePage page;
    private final long startedMillis = Clock.system().wallMillis();
    private final HttpServer server;
    private final ExecutorService threads;
    private volatile LiveFigures figures = LiveFigures.none();

    private MetricsServer(
            RunLabels run, @Nullable LivePage page, HttpServer server, ExecutorService threads) {
        this.run = run;
        this.page = page;
        this.server = server;
        this.threads = threads;
    }

    /** Listens on a free or given port of this machine alone, without a page. */
    static MetricsServer open(int port, RunLabels run) {
        return open(new Serving(Serving.LOOPBACK, port, false), run);
    }

    /**
     * Listens. An address that is not this machine's, or a port that is taken or not allowed, is a
     * {@link ConfigException}.
     */
    public static MetricsServer open(Serving where, RunLabels run) {
        LIMITS.forEach((name, usual) -> System.setProperty(name, System.getProperty(name, usual)));
        HttpServer server;
        try {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getByName(where.host()), where.port());
            server = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw unusable(where, e);
        }
        ExecutorService threads =
                Executors.newFixedThreadPool(
                        THREADS,
                        work -> {
                            Thread thread = new Thread(work, "metrics");
                            thread.setDaemon(true);
                            return thread;
                        });
        LivePage page = where.page() ? new LivePage(Clock.system()) : null;
        MetricsServer metrics = new MetricsServer(run, page, server, threads);
        server.createContext("/", metrics::answer);
        server.setExecutor(threads);
        server.start();
        return metrics;
    }

    /** The run has its folder, from which its page is made. */
    public void follow(RunFolder folder) {
        run = run.named(folder.name());
        if (page != null) {
            page.follow(folder);
        }
    }

    /** The port that it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Where Prometheus finds it. */
    public String address() {
        return root() + "metrics";
    }

    /** Where the page is; null where none is served. */
    public @Nullable String pageAddress() {
        return page == null ? null : root();
    }

    private String root() {
        String host = server.getAddress().getAddress().getHostAddress();
        return "http://%s:%d/".formatted(host.contains(":") ? "[" + host + "]" : host, port());
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
    public void worker(WorkerRecord worker) {
        String machine = worker.name() == null ? "" : worker.name();
        if (!machine.isEmpty()) {
            figures = figures.with(figures.workers().on(worker.worker(), machine));
        }
    }

    @Override
    public void plan(PlanRecord plan) {
        figures = figures.with(figures.workers().under(plan));
    }

    @Override
    public void links(List<LinkTotals> sent) {
        figures = figures.with(figures.workers().sending(sent));
    }

    @Override
    public void event(RunEvent event) {
        figures = figures.plus(event);
    }

    /** Stops listening, once whoever follows the page has seen the run's end. */
    @Override
    public void close() {
        if (page != null) {
            page.awaitLast(LAST_PAGE_NS);
        }
        server.stop(0);
        threads.shutdownNow();
    }

    /** What a scrape gets now. */
    String text() {
        Exposition out = new Exposition();
        out.gauge("medley_run_info", "The run that these figures are of.").sample(1, run.labels());
        LiveFigures now = figures;
        now.writeTo(out);
        double seconds = Math.max(1e-3, (Clock.system().wallMillis() - startedMillis) / 1e3);
        out.gauge(
                        "medley_goodput_samples_per_second",
                        "Samples of steps that count, over all the time since this process began:"
                                + " starts, evaluations and steps taken again are in it.")
                .sample(now.goodSamples() / seconds);
        out.gauge("medley_coordinator_resident_bytes", "Memory of the coordinating process in RAM.")
                .sample(ProcessMemory.residentBytes());
        return out.text();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            String path = exchange.getRequestURI().getPath();
            if (!isAddressedHere(exchange)) {
                reply(exchange, 403, PLAIN, "this address is served under its number alone\n");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                reply(exchange, 405, PLAIN, "only GET and HEAD\n");
            } else if (path.equals("/metrics")) {
                reply(exchange, 200, Exposition.CONTENT_TYPE, text());
            } else if (page != null && path.equals("/")) {
                reply(exchange, 200, "text/html; charset=utf-8", page.text());
                page.handedOut();
            } else {
                reply(exchange, 404, PLAIN, "the figures are at /metrics\n");
            }
        }
    }

    /**
     * On the loopback a page of somewhere else could let its own name lead here and read what is
     * served: there a number or localhost has to be asked for.
     */
    private boolean isAddressedHere(HttpExchange exchange) {
        String host = exchange.getRequestHeaders().getFirst("Host");
        return host == null
                || !server.getAddress().getAddress().isLoopbackAddress()
                || host.matches("(?i)(localhost|\\[[0-9a-f:.]+\\]|[0-9.]+)(:\\d+)?");
    }

    private static void reply(HttpExchange exchange, int status, String type, String text)
            throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isHead ? -1 : body.length);
        if (!isHead) {
            exchange.getResponseBody().write(body);
        }
    }

    private static ConfigException unusable(Serving where, IOException e) {
        String message = String.valueOf(e.getMessage());
        boolean isTaken =
                e instanceof BindException
                        && message.toLowerCase(Locale.ROOT).contains("already in use");
        return new ConfigException(
                String.format(
                        Locale.ROOT,
                        "--metrics %d: %s (%s); choose another port, or 0 for any free one",
                        where.port(),
                        isTaken
                                ? "the port is taken by another program"
                                : "cannot listen on " + where.host(),
                        message),
                e);
    }
}
