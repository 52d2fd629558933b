package dev.medley.tenant.door;

import static dev.medley.base.ConfigException.check;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.serving.http.FrontDoor;
import dev.medley.serving.http.ServeCallers;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.load.ServerLoad;
import dev.medley.tenant.audit.AuditLog;
import dev.medley.tenant.audit.AuditRotation;
import dev.medley.tenant.quota.CallerTurns;
import dev.medley.tenant.quota.Quotas;
import dev.medley.tenant.quota.RefusalRate;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Serves shared tables over HTTP as an object store that can only be read, to callers that sign.
 *
 * <p>Thread: any may close it.
 */
public final class TenantDoor implements AutoCloseable {
    private static final int BODY_BYTES = 64 << 10;
    private static final int WAITING_OF_ONE = 64;

    /** Of one connection, over HTTP/2. */
    private static final int STREAMS = 32;

    /** What one connection sends before somebody reads it. */
    private static final int WINDOW_BYTES = 64 << 10;

    private static final ServerLimits LIMITS =
            new ServerLimits(
                    BODY_BYTES,
                    16L << 20,
                    1024,
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30));

    private final FrontDoor server;
    private final ExecutorService threads;
    private final ExecutorService endings;
    private final ExtractCache cache;
    private final AuditLog audit;
    private final RefusalRate rate;
    private final CallersInForce callers;

    private TenantDoor(
            FrontDoor server,
            ExecutorService threads,
            ExecutorService endings,
            ExtractCache cache,
            AuditLog audit,
            RefusalRate rate,
            CallersInForce callers) {
        this.server = server;
        this.threads = threads;
        this.endings = endings;
        this.cache = cache;
        this.audit = audit;
        this.rate = rate;
        this.callers = callers;
    }

    /**
     * Listens.
     *
     * @param policies their file, which is followed
     * @param audit file of the log
     * @param rotation when it goes on in a new file
     * @param environment a variable's value, null if it is not set
     * @param say told what an operator should know
     * @throws ConfigException if the policies are wrong, the log is not what was written, or nobody
     *     can listen there
     */
    public static TenantDoor open(
            Path policies,
            Path audit,
            AuditRotation rotation,
            ServeSocket where,
            UnaryOperator<@Nullable String> environment,
            Clock clock,
            Consumer<String> say)
            throws IOException {
        check(
                where.address().isLoopbackAddress() || where.tls() != null,
                "%s can be reached from other machines: rows leave in TLS alone, so give --tls-cert"
                        + " and --tls-key",
                where.address().getHostAddress());
        TenantTables tables = TenantTables.open(policies, environment);
        CallersInForce known = new CallersInForce(tables, environment);
        Quotas quotas = new Quotas();
        AuditLog log = AuditLog.open(audit, rotation, clock, quotas::count);
        return open(new Behind(tables, known, log, quotas), where, clock, say);
    }

    private record Behind(
            TenantTables tables, CallersInForce callers, AuditLog audit, Quotas quotas) {}

    private static TenantDoor open(
            Behind behind, ServeSocket where, Clock clock, Consumer<String> say)
            throws IOException {
        AuditLog audit = behind.audit();
        int many = Math.max(4, Runtime.getRuntime().availableProcessors());
        ExecutorService threads = Executors.newFixedThreadPool(many, named("door"));
        ExecutorService endings = Executors.newSingleThreadExecutor(named("door-ends"));
        ExtractCache cache = new ExtractCache(clock);
        RefusalRate rate = new RefusalRate();
        try {
            DoorWork work =
                    new DoorWork(behind.tables(), audit, behind.quotas(), cache, rate, endings);
            CallerTurns turns = new CallerTurns(many, many / 2, WAITING_OF_ONE, threads);
            ServerLoad load = new ServerLoad();
            ServerBuilder builder = FrontDoor.builder(where, ServeCallers.ALL, LIMITS, load, clock);
            builder.serviceUnder(
                    "/",
                    new DoorService(
                            behind.callers(),
                            work,
                            audit,
                            turns,
                            rate,
                            new QuestionBodies(BODY_BYTES, LIMITS.heldBytes()),
                            say));
            builder.http2MaxStreamsPerConnection(STREAMS);
            builder.http2InitialStreamWindowSize(WINDOW_BYTES);
            builder.http2InitialConnectionWindowSize(WINDOW_BYTES);
            builder.errorHandler(
                    (ctx, cause) ->
                            DoorReplies.failure(
                                    DoorFailure.badRequest("this is no request of S3"),
                                    HttpMethod.GET,
                                    "",
                                    ""));
            audit.note("open", "the door opens");
            FrontDoor server = FrontDoor.open(builder, where, load, clock);
            return new TenantDoor(server, threads, endings, cache, audit, rate, behind.callers());
        } catch (IOException | RuntimeException e) {
            threads.shutdownNow();
            endings.shutdownNow();
            try (cache;
                    audit) {
                throw e;
            }
        }
    }

    private static java.util.concurrent.ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** What is wrong with the policies now, while nobody gets anything; empty if nothing is. */
    public Optional<String> trouble() {
        return callers.trouble();
    }

    /** Where it listens, with the port that it got. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Answers what is under way, records its end, and removes all extracts. */
    @Override
    public void close() throws IOException {
        try (audit;
                cache) {
            server.close();
            threads.shutdown();
            endings.shutdown();
            await(threads);
            await(endings);
            for (var counted : rate.rest().entrySet()) {
                audit.note(
                        "refused",
                        "%d more requests of '%s' were refused, beside those that have entries"
                                .formatted(counted.getValue(), counted.getKey()));
            }
            audit.note("close", "the door closes");
        }
    }

    private static void await(ExecutorService threads) {
        try {
            if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
