package dev.medley.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobStart;
import dev.medley.base.time.Clock;
import dev.medley.data.shard.OriginGoneException;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.files.FilesClient;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.tls.Credentials;
import dev.medley.net.tls.JoinCredentials;
import dev.medley.worker.WorkerSession.Order;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one worker, from hello to goodbye, whatever it works at. */
public final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(10);

    private final InetSocketAddress coordinator;
    private final String token;
    private final int launch;
    private final JobStart start;
    private final WorkerSettings place;
    private final @Nullable Credentials credentials;
    private final Map<String, Task.Opener> tasks;
    private final Clock clock;
    private Task.@Nullable Opener opener;
    private volatile @Nullable WorkerSession connected;
    private volatile boolean isKilled;

    /**
     * A worker at {@code place} that has not said hello.
     *
     * @param tasks all that it can do, by the names that a welcome may have for work
     */
    public Worker(
            InetSocketAddress coordinator,
            String token,
            int launch,
            JobStart start,
            WorkerSettings place,
            Map<String, Task.Opener> tasks,
            Clock clock) {
        this.coordinator = coordinator;
        this.token = token;
        this.launch = launch;
        this.start = start;
        this.place = place;
        String folder = place.credentials();
        this.credentials =
                folder == null ? null : JoinCredentials.load(Path.of(folder), clock).credentials();
        this.tasks = Map.copyOf(tasks);
        this.clock = clock;
    }

    /** Works until told to leave; whether that is how it ended. */
    public boolean run() throws IOException, InterruptedException {
        long beginNs = clock.nowNs();
        LOG.info(
                "begins: launch {} of job {}, process {}, Medley {}, Java {}",
                launch,
                start.job(),
                ProcessHandle.current().pid(),
                Version.build(),
                Runtime.version());
        Seat seat = new Seat(Progress.NONE);
        Message.Hello hello =
                new Message.Hello(
                        Version.build(),
                        start.job().toString(),
                        launch,
                        ProcessHandle.current().pid());
        try (WorkerSession session =
                WorkerSession.open(
                        coordinator, credentials, JoinSecret.ofRun(token), hello, seat, clock)) {
            connected = session;
            if (isKilled) {
                session.drop();
            }
            try {
                return work(session, seat, beginNs);
            } catch (ConfigException | OriginGoneException | TaskException e) {
                LOG.error("{}", e.getMessage());
                fail(session, e, String.valueOf(e.getMessage()));
            } catch (RuntimeException | Error e) {
                LOG.error("this worker stops", e);
                boolean isBug = Trouble.kind(e, place.isRemote()) == FailureKind.BUG;
                fail(session, e, isBug ? bug(e) : outOfMemory(e));
            }
            return false;
        }
    }

    /**
     * Ends this worker as if its process were killed: connections break, nothing more is said or
     * kept. {@link #run} returns false as soon as it is out of what it computes. From any thread.
     */
    public void kill() {
        isKilled = true;
        WorkerSession session = connected;
        if (session != null) {
            session.drop();
        }
    }

    private boolean work(WorkerSession session, Seat seat, long beginNs)
            throws InterruptedException {
        Order first = session.awaitOrder();
        if (!(first instanceof Order.Welcomed welcomed)) {
            LOG.info("left before the welcome: {}", first);
            return true;
        }
        session.beginBeating(welcomed.welcome());
        try (Task task = open(welcomed.welcome(), session, seat)) {
            long startUpNs = clock.nowNs() - beginNs;
            LOG.info("ready after {} ms", TimeUnit.NANOSECONDS.toMillis(startUpNs));
            Task.Readiness ready =
                    task.ready(
                            welcomed.welcome().trial(),
                            samples -> session.say(new Message.Trying(samples)));
            session.say(
                    new Message.Ready(
                            ready.member(),
                            ready.progress(),
                            startUpNs,
                            ready.tried(),
                            ready.shardsHere()));
            return follow(session, task);
        }
    }

    private Task open(Message.Welcome welcome, WorkerSession session, Seat seat) {
        Task.Opener named = tasks.get(welcome.work());
        if (named == null) {
            throw new ConfigException(
                    "worker-%d is to work at %s, and knows only %s"
                            .formatted(
                                    launch,
                                    welcome.work(),
                                    tasks.keySet().stream().sorted().toList()));
        }
        opener = named;
        return named.open(
                new TaskStart(
                        welcome,
                        start,
                        token,
                        place,
                        credentials,
                        this::files,
                        new TaskStart.Life(session, seat, clock)));
    }

    /** Follows orders to the last one; whether that was to leave. */
    private boolean follow(WorkerSession session, Task task) throws InterruptedException {
        while (true) {
            Order order = session.awaitOrder();
            if (isKilled) {
                return false;
            }
            if (order instanceof Order.Formed formed) {
                task.take(formed.view());
            } else if (order instanceof Order.Try alone) {
                session.say(new Message.TriedAlone(task.tryAlone(alone.samples())));
            } else if (order instanceof Order.Closed closed) {
                if (closed.saveFirst()) {
                    task.saveAndLeave();
                } else {
                    task.leave();
                }
                LOG.info("left: {}", closed.why());
                return true;
            } else if (order instanceof Order.Orphaned orphaned) {
                LOG.warn("{}: keeping what is there and leaving", orphaned.why());
                task.leaveOrphaned();
                return true;
            }
        }
    }

    private FilesClient files() throws IOException {
        return FilesClient.open(
                handler ->
                        ControlConnection.connect(
                                coordinator,
                                CONNECT_NS,
                                credentials,
                                JoinSecret.ofRun(token),
                                handler));
    }

    private void fail(WorkerSession session, Throwable end, String message) {
        session.say(new Message.Failed(Trouble.kind(end, place.isRemote()), message));
    }

    private String bug(Throwable e) {
        return ("worker-%d stopped because of a bug in Medley or in a class of the job: %s; its log"
                        + " has the details")
                .formatted(launch, e);
    }

    private String outOfMemory(Throwable e) {
        String detail = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        Task.Opener of = opener;
        return "worker-%d ran out of memory (%s); %s"
                .formatted(launch, detail, of == null ? "use fewer workers" : of.toSaveMemory());
    }
}
