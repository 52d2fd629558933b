package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.JobStart;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.time.Clock;
import dev.medley.data.shard.OriginGoneException;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.files.FilesClient;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.tls.CipherWarmUp;
import dev.medley.net.tls.Credentials;
import dev.medley.net.tls.JoinCredentials;
import dev.medley.tensor.Torch;
import dev.medley.training.loop.UnsoundStepException;
import dev.medley.training.worker.WorkerSession.Order;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one worker, from hello to goodbye. */
public final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(10);

    private final InetSocketAddress coordinator;
    private final String token;
    private final int launch;
    private final JobStart start;
    private final WorkerSettings place;
    private final @Nullable Credentials credentials;
    private final Clock clock;
    private volatile @Nullable WorkerSession connected;
    private volatile boolean isKilled;

    /** A worker at {@code place} that has not said hello. */
    public Worker(
            InetSocketAddress coordinator,
            String token,
            int launch,
            JobStart start,
            WorkerSettings place,
            Clock clock) {
        this.coordinator = coordinator;
        this.token = token;
        this.launch = launch;
        this.start = start;
        this.place = place;
        String folder = place.credentials();
        this.credentials =
                folder == null ? null : JoinCredentials.load(Path.of(folder), clock).credentials();
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
            } catch (ConfigException | OriginGoneException | UnsoundStepException e) {
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
        if (welcomed.welcome().assignment().has(SurveyOrder.MARK)) {
            try (SurveyRun survey =
                    SurveyRun.open(welcomed.welcome(), token, place, credentials, session, clock)) {
                survey.work(clock.nowNs() - beginNs);
            }
            return true;
        }
        Assignment assignment = assignment(welcomed.welcome());
        JoinSpec join = assignment.job().cluster().join();
        StoreUrl depot = join == null ? null : join.depot();
        try (DataOrigin origin = DataOrigin.of(assignment.data(), depot, this::files);
                Delivery delivery = delivery(assignment);
                WorkerRun run =
                        WorkerRun.open(
                                new WorkerRun.Start(
                                        assignment.at(place),
                                        welcomed.welcome().worker(),
                                        token,
                                        place,
                                        credentials,
                                        origin,
                                        delivery),
                                session,
                                seat,
                                clock)) {
            if (credentials != null) {
                CipherWarmUp.run();
            }
            System.gc(); // What loading left behind: later all others would wait for it.
            LOG.info(
                    "ready after {} ms, computes by {}",
                    (clock.nowNs() - beginNs) / 1_000_000,
                    Torch.kernelKey());
            session.say(
                    new Message.Ready(
                            run.member(),
                            seat.progress(),
                            clock.nowNs() - beginNs,
                            run.tried(
                                    welcomed.welcome().trial(),
                                    samples -> session.say(new Message.Trying(samples))),
                            run.shardsHere()));
            return follow(session, run);
        }
    }

    /** Follows orders to the last one; whether that was to leave. */
    private boolean follow(WorkerSession session, WorkerRun run) throws InterruptedException {
        while (true) {
            Order order = session.awaitOrder();
            if (isKilled) {
                return false;
            }
            if (order instanceof Order.Formed formed) {
                run.take(formed.view());
            } else if (order instanceof Order.Try alone) {
                session.say(new Message.TriedAlone(run.tryAlone(alone.samples())));
            } else if (order instanceof Order.Closed closed) {
                run.leave(closed.saveFirst());
                LOG.info("left: {}", closed.why());
                return true;
            } else if (order instanceof Order.Orphaned orphaned) {
                LOG.warn("{}: keeping what is there and leaving", orphaned.why());
                run.leaveOrphaned();
                return true;
            }
        }
    }

    /** The owner of this machine may have let it join for that job alone. */
    private Assignment assignment(Message.Welcome welcome) {
        Assignment assignment = Json.bindWhole(welcome.assignment(), Assignment.class);
        ConfigException.check(
                start.isFor(assignment.job()),
                "worker-%d was started for job %s and is to train job %s: start it with that job",
                launch,
                start.job(),
                JobIdentity.of(assignment.job()));
        return assignment;
    }

    private Delivery delivery(Assignment assignment) {
        String own = place.runFolder();
        if (!place.isRemote() || own == null) {
            return Delivery.NONE;
        }
        Path to = Path.of(assignment.runFolder());
        return delivery(this::files, Path.of(own), to, Retries.Pause.REAL);
    }

    /**
     * Over a connection that is opened now; a link that hangs for a while is a matter of this
     * machine, not of the job.
     *
     * @throws OriginGoneException if none can be opened
     */
    static Delivery delivery(DataOrigin.Files files, Path from, Path to, Retries.Pause pause) {
        Retries retries = new Retries(pause);
        while (true) {
            try {
                return Delivery.over(files, from, to);
            } catch (IOException e) {
                String what =
                        "the coordinator is not reached for what this worker keeps: "
                                + e.getMessage();
                if (!retries.waits()) {
                    throw new OriginGoneException(what, e);
                }
                LOG.warn("{}; tried again", what);
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
        return ("worker-%d ran out of memory (%s); use fewer workers, a smaller train.batch, or"
                        + " train.accumulate: 4 to keep the batch and compute it in parts")
                .formatted(launch, detail);
    }
}
