package dev.medley.control.agent;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobStart;
import dev.medley.base.time.Clock;
import dev.medley.control.agent.AgentOptions.Stay;
import dev.medley.control.files.Shipment;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.Launcher.Exit;
import dev.medley.control.launcher.LocalWorkers;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.DismissalKind;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.door.Recognition.UnprovenException;
import dev.medley.net.files.FilesClient;
import dev.medley.net.tls.Credentials;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Offers this machine to a coordinator, run after run, until it is asked to leave.
 *
 * <p>Thread: {@link #run} is the agent; {@link #leave} may be called from any thread.
 *
 * <p>Long because a shift shares its events with what comes before and after it.
 */
public final class Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long FAREWELL_NS = TimeUnit.SECONDS.toNanos(60);

    /** Patience until the coordinator says how patient it is. */
    private static final long FIRST_PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    /** That are said between two joins: they may be others' words. */
    private static final int MOST_SENTENCES = 100;

    private static final String UNHEARD =
            "it hung up without a word (%s); is it a coordinator of Medley %s? Trying again, ever"
                    + " more rarely";

    private final AgentOptions options;
    private final @Nullable Credentials credentials;
    private final Supplier<JsonNode> machine;
    private final @Nullable ServedJob served;
    private final LocalWorkers workers;
    private final Consumer<String> says;
    private final Clock clock;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private Backoff backoff = new Backoff();

    /** What was said since this machine joined last: not said again at each try. */
    private final Set<String> told = new HashSet<>();

    /** Why nobody could be joined the last time, to be added to a sentence. */
    private String trouble = "";

    private volatile boolean isLeaving;

    /** What reaches the agent's thread. */
    private sealed interface Event {
        record Said(ControlConnection by, Message message) implements Event {}

        record HungUp(ControlConnection by, String why) implements Event {}

        record Exited(Shift of, Exit exit) implements Event {}

        record Ready(Shift of, int launch, RunFileCache.Outcome outcome) implements Event {}

        record Leave() implements Event {}
    }

    /**
     * An agent that has not begun.
     *
     * @param credentials of this machine; null for plain text on loopback
     * @param machine what this machine is, a JSON-able value for the coordinator; looked at anew
     *     whenever one is joined
     * @param served the only job that it serves; null for any
     * @param workers starts the worker of a job
     * @param says sentences for whoever watches the agent
     */
    public Agent(
            AgentOptions options,
            @Nullable Credentials credentials,
            Supplier<JsonNode> machine,
            @Nullable ServedJob served,
            LocalWorkers workers,
            Consumer<String> says,
            Clock clock) {
        this.options = options;
        this.credentials = credentials;
        this.machine = machine;
        this.served = served;
        this.workers = workers;
        this.says = says;
        this.clock = clock;
    }

    /** Tries again otherwise than usual. */
    Agent backingOff(Backoff otherwise) {
        backoff = otherwise;
        return this;
    }

    /** Asks for the end: a worker leaves after the step under way. A second time: at once. */
    public void leave() {
        isLeaving = true;
        events.add(new Event.Leave());
    }

    /**
     * Serves runs until it is asked to leave, or one of them.
     *
     * @return whether it ended as it was meant to: false after the one run if that did not take
     *     this machine, broke off, or was left by a worker that failed; false where it was to stay
     *     until a run was done and had to leave before
     * @throws ConfigException if the coordinator refuses this machine, or wants another job done
     *     than the one that it serves
     */
    public boolean run() throws InterruptedException {
        while (!isLeaving) {
            ControlConnection connection = connect();
            if (connection == null) {
                sayOnce("waiting for a coordinator at " + address() + trouble);
                pause(backoff.leastNs());
                continue;
            }
            boolean isDismissed;
            boolean isServed;
            boolean isDone;
            try (Shift shift = new Shift(connection)) {
                isDismissed = shift.serve();
                isServed = isDismissed && !shift.lastFailed;
                isDone = shift.isDone;
            }
            if (options.stay() == Stay.ONE_RUN) {
                return isServed || isLeaving;
            } else if (options.stay() == Stay.UNTIL_DONE && isDone) {
                return true;
            }
            if (!isDismissed) {
                pause(backoff.failed());
            }
        }
        return options.stay() != Stay.UNTIL_DONE;
    }

    /** Whoever is there may have its reasons, and others to talk to. */
    private void pause(long waitNs) throws InterruptedException {
        long untilNs = clock.awakeNs() + waitNs;
        while (!isLeaving && clock.awakeNs() < untilNs) {
            Event unused = events.poll(untilNs - clock.awakeNs(), TimeUnit.NANOSECONDS);
        }
    }

    private void sayOnce(String sentence) {
        if (told.size() < MOST_SENTENCES && told.add(sentence)) {
            says.accept(sentence);
        }
    }

    private @Nullable ControlConnection connect() {
        events.removeIf(event -> !(event instanceof Event.Leave));
        try {
            InetSocketAddress at = resolved();
            String token = at.isUnresolved() ? null : options.token().at(at);
            if (token == null) {
                trouble = "";
                return null;
            }
            return dial(
                    JoinSecret.ofCluster(token),
                    new ControlConnection.Handler() {
                        @Override
                        public void received(ControlConnection from, Message message) {
                            events.add(new Event.Said(from, message));
                        }

                        @Override
                        public void closed(ControlConnection ended, String why) {
                            events.add(new Event.HungUp(ended, why));
                        }
                    });
        } catch (UnprovenException e) {
            // With its certificate shown, it is one of the cluster, and a person's mistake.
            ConfigException.check(
                    credentials == null, "%s: give both the same --token-file", e.getMessage());
            trouble = ": %s: give both the same --token-file".formatted(e.getMessage());
        } catch (ConnectException e) {
            trouble = ""; // Nobody is there yet.
        } catch (IOException e) {
            trouble = ": " + e.getMessage();
        }
        return null;
    }

    private ControlConnection dial(JoinSecret pass, ControlConnection.Handler handler)
            throws IOException {
        return ControlConnection.connect(resolved(), CONNECT_NS, credentials, pass, handler);
    }

    /** A coordinator may be another machine the next time. */
    private InetSocketAddress resolved() {
        return new InetSocketAddress(
                options.coordinator().getHostString(), options.coordinator().getPort());
    }

    private String address() {
        return options.coordinator().getHostString() + ":" + options.coordinator().getPort();
    }

    /** Where a worker of that run writes here. */
    private Path folder(LaunchOrder work) {
        return options.folder().resolve("runs").resolve(work.run());
    }

    /** The time with one coordinator. */
    private final class Shift implements AutoCloseable {
        private final ControlConnection connection;
        private @Nullable Launcher launcher;
        private @Nullable Fetching fetching;
        private @Nullable Path runHere;
        private long heartbeatNs = TimeUnit.MILLISECONDS.toNanos(500);
        private long peerTimeoutNs = FIRST_PATIENCE_NS;
        private long heardNs = clock.awakeNs();
        private int working;
        private boolean hasJoined;
        private boolean lastFailed;
        private boolean isDismissed;
        private boolean isDone; // The run, for good.
        private boolean isOver;
        private boolean isAsked; // To leave, by whoever owns the machine.
        private boolean isAsAsked; // Its end.

        /** What a worker needs is on its way. */
        private record Fetching(int launch, Thread thread) {}

        Shift(ControlConnection connection) {
            this.connection = connection;
        }

        /** To its end; whether the coordinator said that it is one. */
        boolean serve() throws InterruptedException {
            connection.send(
                    new Message.Offer(
                            Version.build(),
                            options.name(),
                            options.site(),
                            clock.wallMillis(),
                            served == null ? null : Json.tree(served.terms()),
                            machine.get()));
            long nextBeatNs = clock.awakeNs();
            while (!isOver) {
                if (clock.awakeNs() >= nextBeatNs) {
                    connection.send(new Message.Present());
                    nextBeatNs = clock.awakeNs() + heartbeatNs;
                }
                Event event =
                        events.poll(
                                Math.max(1, nextBeatNs - clock.awakeNs()), TimeUnit.NANOSECONDS);
                if (event != null) {
                    take(event);
                }
                long nowNs = clock.awakeNs();
                if ((nowNs - heardNs) / ClusterSpec.COORDINATOR_PATIENCE > peerTimeoutNs) {
                    end("the coordinator is silent");
                }
            }
            if (!isDismissed && !isAsAsked) {
                awaitOrphans();
            }
            return isDismissed;
        }

        /** What a coordinator says ends at most the time with it. */
        private void take(Event event) {
            try {
                handle(event);
            } catch (ConfigException e) {
                throw e;
            } catch (ProtocolException e) {
                end("it said " + e.getMessage());
            } catch (RuntimeException e) {
                LOG.error("what {} said could not be handled", address(), e);
                end("what it said could not be handled: " + e);
            }
        }

        /** A worker whose coordinator is gone writes what it holds before it leaves. */
        private void awaitOrphans() throws InterruptedException {
            long untilNs = clock.awakeNs() + FAREWELL_NS;
            Path run = runHere;
            if (run == null) {
                return; // No worker was started.
            }
            while (working > 0 && clock.awakeNs() < untilNs) {
                Event event =
                        events.poll(Math.max(1, untilNs - clock.awakeNs()), TimeUnit.NANOSECONDS);
                working -= event instanceof Event.Exited ? 1 : 0;
                if (event instanceof Event.Leave) {
                    break;
                }
            }
            LocalCheckpoint.sentence(run).ifPresent(says);
        }

        private void handle(Event event) {
            if (event instanceof Event.Said said && said.by() == connection) {
                heardNs = clock.awakeNs();
                hear(said.message());
            } else if (event instanceof Event.HungUp hungUp && hungUp.by() == connection) {
                end(
                        hasJoined
                                ? "the connection to the coordinator is " + hungUp.why()
                                : UNHEARD.formatted(hungUp.why(), Version.build()));
            } else if (event instanceof Event.Exited exited && exited.of() == this) {
                working--;
                Exit exit = exited.exit();
                lastFailed = exit.code() != 0;
                connection.send(
                        new Message.Exited(
                                exit.launch(), exit.code(), exit.lastWords(), exit.outOfMemory()));
                says.accept(
                        exit.code() == 0
                                ? "worker-%d has left".formatted(exit.launch())
                                : "worker-%d ended with exit status %d"
                                        .formatted(exit.launch(), exit.code()));
                endIfDone();
            } else if (event instanceof Event.Ready ready && ready.of() == this) {
                if (fetching != null && fetching.launch() == ready.launch()) {
                    fetching = null;
                    start(ready.outcome());
                }
            } else if (event instanceof Event.Leave) {
                leaveNow();
            }
        }

        private void hear(Message message) {
            String what = message.getClass().getSimpleName();
            boolean isEarly =
                    message instanceof Message.Enlisted || message instanceof Message.Dismissed;
            ProtocolException.check(hasJoined || isEarly, "%s before all", what);
            if (message instanceof Message.Enlisted enlisted) {
                ProtocolException.check(!hasJoined, "%s twice", what);
                hasJoined = true;
                backoff.succeeded();
                told.clear();
                heartbeatNs = enlisted.heartbeatNs();
                peerTimeoutNs = enlisted.peerTimeoutNs();
                says.accept("joined %s for %s".formatted(address(), enlisted.job()));
            } else if (message instanceof Message.Launch launch) {
                ProtocolException.check(working == 0, "%s while a worker runs", what);
                working++;
                requireServed(launch);
                fetch(launch);
            } else if (message instanceof Message.Kill kill) {
                kill(kill.launch());
            } else if (message instanceof Message.Dismissed dismissed) {
                ConfigException.check(
                        dismissed.kind() != DismissalKind.REFUSED,
                        "the coordinator at %s refuses this machine: %s",
                        address(),
                        dismissed.why());
                isDismissed = true;
                isDone = dismissed.kind() == DismissalKind.DONE;
                end(dismissed.why());
            } else {
                ProtocolException.check(message instanceof Message.Beat, "%s to an agent", what);
            }
        }

        /** What was said at the join may be untrue: what counts is what is to be done. */
        private void requireServed(Message.Launch launch) {
            if (served == null) {
                return;
            }
            String why = refusal(served, launch);
            if (why != null) {
                connection.send(new Message.Exited(launch.launch(), -1, why, ""));
                throw new ConfigException(
                        "left %s, which asks for another job: %s".formatted(address(), why));
            }
        }

        private @Nullable String refusal(ServedJob only, Message.Launch launch) {
            try {
                return only.refusal(
                        options.name(), Json.bindWhole(launch.work(), LaunchOrder.class));
            } catch (JacksonException e) {
                return "what it asks for cannot be read";
            }
        }

        /** Takes minutes where there is much to fetch: on a thread of its own. */
        private void fetch(Message.Launch launch) {
            Thread thread =
                    new Thread(
                            () ->
                                    events.add(
                                            new Event.Ready(
                                                    this, launch.launch(), fetched(launch))),
                            "fetch-" + launch.launch());
            thread.setDaemon(true);
            fetching = new Fetching(launch.launch(), thread);
            thread.start();
        }

        /** Also what has no process yet. What was fetched by then is not kept. */
        private void kill(int launch) {
            if (launcher != null) {
                launcher.kill(launch);
            }
            Fetching under = fetching;
            if (under != null && under.launch() == launch) {
                fetching = null;
                under.thread().interrupt();
                start(new RunFileCache.Outcome.Failed(launch, "nobody waits for it any more"));
            }
        }

        private RunFileCache.Outcome fetched(Message.Launch launch) {
            JoinSecret ofRun = JoinSecret.ofRun(launch.token());
            try (FilesClient files = FilesClient.open(handler -> dial(ofRun, handler))) {
                LaunchOrder work = Json.bindWhole(launch.work(), LaunchOrder.class);
                RunFileCache cache =
                        new RunFileCache(options.folder().resolve("files"), options.copies(), says);
                List<Shipment> needed = served == null ? work.shipments() : served.needed(work);
                var paths = cache.of(needed, work.mostBytes(), files);
                LocalCheckpoint.bring(folder(work), work.checkpoint(), files, says);
                cache.checkpoint(work, folder(work), files);
                return new RunFileCache.Outcome.Here(launch, work, paths);
            } catch (IOException | RuntimeException e) {
                return new RunFileCache.Outcome.Failed(
                        launch.launch(), String.valueOf(e.getMessage()));
            }
        }

        private void start(RunFileCache.Outcome outcome) {
            if (outcome instanceof RunFileCache.Outcome.Failed failed) {
                says.accept("worker-%d cannot start: %s".formatted(failed.launch(), failed.why()));
                events.add(
                        new Event.Exited(
                                this,
                                new Exit(
                                        failed.launch(),
                                        -1,
                                        options.name() + ": " + failed.why(),
                                        "")));
            } else if (outcome instanceof RunFileCache.Outcome.Here here) {
                int launch = here.launch().launch();
                try {
                    Launcher local = launcher(here);
                    launcher = local;
                    local.launch(
                            launch,
                            resolved(),
                            here.launch().token(),
                            exit -> events.add(new Event.Exited(this, exit)));
                    connection.send(new Message.Started(launch));
                    says.accept("worker-%d of %s runs".formatted(launch, here.work().run()));
                } catch (IOException | RuntimeException e) {
                    start(new RunFileCache.Outcome.Failed(launch, String.valueOf(e.getMessage())));
                }
            }
        }

        private Launcher launcher(RunFileCache.Outcome.Here here) throws IOException {
            Path run = folder(here.work());
            runHere = run;
            Path logs = run.resolve("logs");
            Files.createDirectories(logs);
            String bind = options.bind();
            String address = bind == null ? connection.localAddress().getHostAddress() : bind;
            String advertised = options.advertise();
            Path folder = options.credentials();
            WorkerSettings place =
                    new WorkerSettings(
                            options.site(),
                            address,
                            advertised == null ? address : advertised,
                            options.ports().first(),
                            options.ports().last(),
                            run.toString(),
                            here.paths(),
                            folder == null ? null : folder.toString(),
                            true);
            JobSpec placed = here.work().job().at(place);
            JobSpec job = served == null ? placed : served.withOwnFiles(placed);
            return workers.of(job, JobStart.of(here.work().job()), place, logs);
        }

        /**
         * The worker may have a long round to end, and a checkpoint to write and to bring: it takes
         * the time that it needs, as long as the coordinator is heard. Who cannot wait asks twice.
         */
        private void leaveNow() {
            if (working == 0 || isAsked) {
                endAsAsked();
            } else {
                says.accept("leaving after the step under way");
                connection.send(new Message.Leaving(options.name() + " is wanted back"));
                isAsked = true;
            }
        }

        private void endIfDone() {
            if (isLeaving && working == 0) {
                endAsAsked();
            }
        }

        private void endAsAsked() {
            isAsAsked = true;
            end("asked to leave");
        }

        private void end(String why) {
            sayOnce("left %s: %s".formatted(address(), why));
            isOver = true;
        }

        @Override
        public void close() {
            connection.closeAfterSending(TimeUnit.SECONDS.toNanos(1));
            if (launcher != null) {
                launcher.close();
            }
        }
    }
}
