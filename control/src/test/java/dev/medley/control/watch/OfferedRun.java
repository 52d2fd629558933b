package dev.medley.control.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.time.Clock;
import dev.medley.control.coordinator.Acting;
import dev.medley.control.coordinator.CoordinatedRun;
import dev.medley.control.coordinator.CoordinatorOptions.Patience;
import dev.medley.control.coordinator.FakeWorkers;
import dev.medley.control.launcher.Launching;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A run of a coordinator on a thread of its own, with machines that join over real sockets and do
 * what a test says.
 */
final class OfferedRun implements AutoCloseable {
    static final long LONG_NS = TimeUnit.HOURS.toNanos(6);

    private static final String CLUSTER = "token-of-the-cluster";
    private static final long BEAT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CoordinatedRun run = new CoordinatedRun();
    private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();
    private final CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();
    private final List<Machine> machines = new ArrayList<>();
    private final Semaphore offers = new Semaphore(0);
    private final Launching.Needs needs;

    /** Begins with so many machines; nobody is lost for being silent. */
    OfferedRun(int expected, int restarts, Patience patience) {
        this(expected, restarts, patience, launch -> Map.of());
    }

    /** With workers that need something. */
    OfferedRun(int expected, int restarts, Patience patience, Launching.Needs needs) {
        this.needs = needs;
        run.on(
                        new ClusterSpec(
                                expected,
                                1,
                                List.of(),
                                List.of(),
                                BEAT_NS,
                                LONG_NS,
                                LONG_NS,
                                restarts,
                                JoinSpec.at("127.0.0.1:0")))
                .patient(patience);
        Thread coordinating = new Thread(this::coordinate, "coordinator");
        coordinating.setDaemon(true);
        coordinating.start();
    }

    /** A machine as its agent sees it. */
    static final class Machine implements ControlConnection.Handler {
        private final BlockingQueue<Message> words = new LinkedBlockingQueue<>();
        private final Semaphore beats = new Semaphore(0);
        private volatile ControlConnection connection;

        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Beat) {
                beats.release();
            } else {
                words.add(message);
            }
        }

        @Override
        public void closed(ControlConnection ended, String why) {}

        void say(Message message) {
            connection.send(message);
        }

        /** Whether it hears a sign of life soon. */
        boolean hearsBeat() throws InterruptedException {
            return beats.tryAcquire(5, TimeUnit.SECONDS);
        }

        /** What is heard next. */
        <T extends Message> T next(Class<T> expected) throws InterruptedException {
            Message word = words.poll(30, TimeUnit.SECONDS);
            assertThat(word).isInstanceOf(expected);
            return expected.cast(word);
        }
    }

    /** One more machine, which is part of the run. */
    Machine offer(String name) throws Exception {
        Machine machine = come(name);
        Message.Enlisted unused = machine.next(Message.Enlisted.class);
        return machine;
    }

    /** One more machine, of which the coordinator has not taken notice yet. */
    Machine come(String name) throws Exception {
        Machine machine = new Machine();
        machines.add(machine);
        machine.connection =
                ControlConnection.connect(
                        address.get(120, TimeUnit.SECONDS),
                        TimeUnit.SECONDS.toNanos(10),
                        JoinSecret.ofCluster(CLUSTER),
                        machine);
        machine.say(
                new Message.Offer(
                        FakeWorkers.VERSION,
                        name,
                        "",
                        Clock.system().wallMillis(),
                        null,
                        Json.tree(Map.of())));
        assertThat(offers.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        return machine;
    }

    /** The worker of that launch comes, and acts like this. */
    FakeWorkers.Worker join(Message.Launch launch, Acting script) throws Exception {
        FakeWorkers.Worker worker =
                new FakeWorkers.Worker(
                        launch.launch(), launch.token(), script, address.get(), exit -> {});
        Acting.join(worker);
        return worker;
    }

    /** Time passes for the coordinator. */
    void skip(long time, TimeUnit unit) {
        run.skip(time, unit);
    }

    /** The coordinator has heard what this machine said, and looked at its deadlines since. */
    void awaitBeats(Machine machine) throws InterruptedException {
        machine.beats.drainPermits();
        assertThat(machine.beats.tryAcquire(3, 30, TimeUnit.SECONDS)).isTrue();
    }

    void interrupt() {
        run.interrupt();
    }

    /** How it ended. */
    RunOutcome end() throws Exception {
        return outcome.get(120, TimeUnit.SECONDS);
    }

    /** What happened. */
    CoordinatedRun seen() {
        return run;
    }

    @Override
    public void close() {
        machines.forEach(machine -> machine.connection.close());
    }

    private void coordinate() {
        Launching launching =
                new Launching.OnAgents(
                        new Launching.Terms(
                                FakeWorkers.VERSION,
                                new JobTerms("adult", "", Map.of()),
                                BEAT_NS,
                                LONG_NS),
                        needs);
        try {
            outcome.complete(run.coordinate(launching, this::door));
        } catch (Exception e) {
            outcome.completeExceptionally(e);
        }
    }

    private ControlServer door(ControlConnection.Handler inbox) throws IOException {
        ControlServer server =
                ControlServer.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        null,
                        List.of(
                                JoinSecret.ofRun(CoordinatedRun.TOKEN),
                                JoinSecret.ofCluster(CLUSTER)),
                        counting(inbox));
        address.complete(server.address());
        return server;
    }

    /** Tells of offers that wait in the inbox. */
    private ControlConnection.Handler counting(ControlConnection.Handler inbox) {
        return new ControlConnection.Handler() {
            @Override
            public void received(ControlConnection from, Message message) {
                inbox.received(from, message);
                if (message instanceof Message.Offer) {
                    offers.release();
                }
            }

            @Override
            public void closed(ControlConnection ended, String why) {
                inbox.closed(ended, why);
            }
        };
    }
}
