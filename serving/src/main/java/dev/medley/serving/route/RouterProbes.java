package dev.medley.serving.route;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.route.ReplicaTable.Miss;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Asks servers for their load, as often as the table says. A server that does not tell it is asked
 * whether it is ready, as the Open Inference Protocol has it.
 *
 * <p>Thread: any.
 */
final class RouterProbes {
    private static final String READY = "/v2/health/ready";
    private static final String MAY_BE_TLS = " (one that speaks TLS is named https://HOST:PORT)";
    private static final long TICK_MILLIS = 20;

    /** The first connection takes its time, as this process has to load what makes one. */
    private static final long FIRST_NS = 5_000_000_000L;

    private final ReplicaTable table;
    private final RouterCalls calls;
    private final RouterSettings settings;
    private final Clock clock;
    private final Consumer<String> say;
    private volatile long timeoutNs = FIRST_NS;
    private volatile boolean isSaying;
    private volatile boolean isStopped;

    RouterProbes(
            ReplicaTable table,
            RouterCalls calls,
            RouterSettings settings,
            Clock clock,
            Consumer<String> say) {
        this.table = table;
        this.calls = calls;
        this.settings = settings;
        this.clock = clock;
        this.say = say;
    }

    /** Asks all servers once; done when each has answered, or its time is over. */
    CompletableFuture<Void> first() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        table.probesWhenIdle(clock.nowNs()).forEach(each -> all.add(probe(each)));
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Says who does not answer; from now on asks those that were not asked for a while. */
    void start() {
        timeoutNs = settings.probeTimeoutNs();
        table.troubles().forEach(say);
        isSaying = true;
        ScheduledFuture<?> unused =
                calls.loop()
                        .scheduleAtFixedRate(
                                () -> probeAll(table.probesWhenIdle(clock.nowNs())),
                                TICK_MILLIS,
                                TICK_MILLIS,
                                TimeUnit.MILLISECONDS);
    }

    /** Asks nobody any more, and says nothing of those that do not answer. */
    void stop() {
        isSaying = false;
        isStopped = true;
    }

    /** A request came. */
    void request() {
        probeAll(table.probesOfRequest(clock.nowNs()));
    }

    private void probeAll(List<RoutedReplica> due) {
        for (RoutedReplica each : due) {
            CompletableFuture<Void> unused = probe(each);
        }
    }

    /** A server behaves oddly: asks at once. */
    void suspect(RoutedReplica replica) {
        if (table.probeOfSuspect(replica, clock.nowNs())) {
            probeAll(List.of(replica));
        }
    }

    private CompletableFuture<Void> probe(RoutedReplica replica) {
        if (isStopped) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> done =
                replica.hasLoad()
                        ? get(replica, LoadReport.PATH)
                                .thenCompose(answer -> loadOrReady(replica, answer))
                        : askedWhetherReady(replica);
        return done.exceptionally(
                thrown -> {
                    Miss miss = RouterCalls.miss(thrown);
                    String why = RouterCalls.words(thrown);
                    boolean mayBeTls =
                            why.equals(RouterCalls.BROKE_OFF) && !replica.address().isTls();
                    missed(replica, miss, mayBeTls ? why + MAY_BE_TLS : why);
                    return null;
                });
    }

    private CompletableFuture<Void> loadOrReady(
            RoutedReplica replica, AggregatedHttpResponse answer) {
        LoadReport report = answer.status().equals(HttpStatus.OK) ? report(answer) : null;
        if (report == null) {
            return askedWhetherReady(replica);
        }
        said(replica, () -> table.probed(replica, report, clock.nowNs()));
        return CompletableFuture.completedFuture(null);
    }

    private static @Nullable LoadReport report(AggregatedHttpResponse answer) {
        try {
            LoadReport report = Json.parse(answer.content().array(), LoadReport.class);
            return report.in_flight() < 0 || report.latency_us() < 0 ? null : report;
        } catch (JacksonException | NullPointerException | IllegalArgumentException e) {
            return null;
        }
    }

    private CompletableFuture<Void> askedWhetherReady(RoutedReplica replica) {
        return get(replica, READY)
                .thenAccept(
                        answer -> {
                            int status = answer.status().code();
                            MediaType type = answer.contentType();
                            boolean isPage = type != null && type.is(MediaType.ANY_TEXT_TYPE);
                            boolean isReady = status == 200 && !isPage;
                            if (isReady || status == 503 || status == 400) {
                                said(replica, () -> table.ready(replica, isReady, clock.nowNs()));
                            } else {
                                missed(
                                        replica,
                                        Miss.STRANGE,
                                        ("it is no server of the Open Inference Protocol:"
                                                        + " it answers %d%s at %s")
                                                .formatted(
                                                        status,
                                                        isPage ? " with a text" : "",
                                                        READY));
                            }
                        });
    }

    private CompletableFuture<AggregatedHttpResponse> get(RoutedReplica replica, String path) {
        return calls.call(replica, HttpRequest.of(HttpMethod.GET, path), timeoutNs).aggregate();
    }

    private void missed(RoutedReplica replica, Miss miss, String why) {
        boolean[] isOut = {false};
        said(replica, () -> isOut[0] = table.unanswered(replica, miss, why, clock.nowNs()));
        if (isOut[0]) {
            calls.breakOff(replica);
        }
    }

    /** Says a change of state, in one sentence. */
    private void said(RoutedReplica replica, Runnable change) {
        String before = table.words(replica);
        change.run();
        String now = table.words(replica);
        if (isSaying && !now.equals(before)) {
            say.accept(replica.name() + " " + now);
        }
    }
}
