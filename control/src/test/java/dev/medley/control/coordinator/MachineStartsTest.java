package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Clock;
import dev.medley.base.Json;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.base.job.JoinSpec;
import dev.medley.control.coordinator.CoordinatorOptions.Patience;
import dev.medley.control.launcher.AgentLauncher;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.door.Pass;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A machine that joins may take its time, and one whose worker came to nothing gets another. */
@Tag("real")
@Timeout(60)
class MachineStartsTest {
    private static final String CLUSTER = "token-of-the-cluster";
    private static final long BEAT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SHORT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LONG_NS = TimeUnit.HOURS.toNanos(6);

    private final CoordinatedRun run = new CoordinatedRun();
    private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();
    private final CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();
    private final Machine machine = new Machine();
    private ControlConnection agent;

    /** What an agent hears. */
    private static final class Machine implements ControlConnection.Handler {
        final BlockingQueue<Message> words = new LinkedBlockingQueue<>();
        final Semaphore beats = new Semaphore(0);

        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Beat) {
                beats.release();
            } else {
                words.add(message);
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}

        <T extends Message> T next(Class<T> expected) throws InterruptedException {
            Message word = words.poll(30, TimeUnit.SECONDS);
            assertThat(word).isInstanceOf(expected);
            return expected.cast(word);
        }
    }

    @AfterEach
    void close() {
        if (agent != null) {
            agent.close();
        }
    }

    @Test
    void whoTakesLongToFetchShouldTrainWhenItIsReady() throws Exception {
        begin(1, new Patience(LONG_NS, SHORT_NS, LONG_NS, SHORT_NS));
        Message.Launch launch = machine.next(Message.Launch.class);
        pass(0, TimeUnit.SECONDS);
        pass(3, TimeUnit.HOURS);
        agent.send(new Message.Started(launch.launch()));
        join(launch);
        assertThat(end().kind()).as(end().why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.seen()).contains("launched 1").doesNotContain("launched 2");
        assertThat(run.seen())
                .contains(
                        "warned still waiting for worker-1 on n1, whose machine has been fetching"
                                + " its files for 180 min");
    }

    @Test
    void whoseProcessSaysNoHelloShouldGetAnother() throws Exception {
        begin(1, new Patience(LONG_NS, SHORT_NS, LONG_NS, SHORT_NS));
        Message.Launch launch = machine.next(Message.Launch.class);
        agent.send(new Message.Started(launch.launch()));
        pass(0, TimeUnit.SECONDS);
        pass(1, TimeUnit.MINUTES);
        replace(launch, "warned worker-1 did not join within 30000 ms of its start: see its log");
    }

    @Test
    void whoDoesNotFetchInTimeShouldGetAnotherWorkerOnceItIsFree() throws Exception {
        begin(1, new Patience(SHORT_NS, SHORT_NS, SHORT_NS, SHORT_NS));
        Message.Launch launch = machine.next(Message.Launch.class);
        pass(0, TimeUnit.SECONDS);
        pass(1, TimeUnit.MINUTES);
        replace(
                launch,
                "warned worker-1 did not start within 30 s: its machine has not fetched its files");
    }

    /** It holds nothing, and would not hear of the end before it has loaded all. */
    @Test
    void whoIsWantedBackWhileItLoadsShouldBeEndedAtOnce() throws Exception {
        begin(1, new Patience(LONG_NS, LONG_NS, LONG_NS, LONG_NS));
        Message.Launch launch = machine.next(Message.Launch.class);
        CountDownLatch welcome = new CountDownLatch(1);
        join(launch, Acting.idle().whenWelcomed(worker -> welcome.countDown()));
        assertThat(welcome.await(30, TimeUnit.SECONDS)).isTrue();
        agent.send(new Message.Leaving("n1 is wanted back"));
        assertThat(machine.next(Message.Kill.class).launch()).isEqualTo(1);
        run.interrupt();
        assertThat(end().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
    }

    @Test
    void tooFewMachinesShouldNotBeWaitedForTooLong() throws Exception {
        begin(2, new Patience(LONG_NS, LONG_NS, LONG_NS, SHORT_NS));
        Message.Launch unused = machine.next(Message.Launch.class);
        run.skip(1, TimeUnit.MINUTES);
        assertThat(end().failure()).isEqualTo(FailureKind.INPUT);
        assertThat(end().why()).contains("1 of 2 machines have joined at", "within 30 s (n1)");
    }

    /** The machine says that it is free only when it has heard that nobody waits. */
    private void replace(Message.Launch late, String warned) throws Exception {
        assertThat(machine.next(Message.Kill.class).launch()).isEqualTo(late.launch());
        agent.send(new Message.Exited(late.launch(), -1, "it was called off", ""));
        Message.Launch launch = machine.next(Message.Launch.class);
        assertThat(launch.launch()).isEqualTo(2);
        join(launch);
        assertThat(end().kind()).as(end().why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.seen()).contains(warned, "restarted as 2");
    }

    private void begin(int expected, Patience patience) throws Exception {
        run.on(
                        new ClusterSpec(
                                expected,
                                1,
                                List.of(),
                                List.of(),
                                BEAT_NS,
                                LONG_NS,
                                LONG_NS,
                                3,
                                JoinSpec.at("127.0.0.1:0")))
                .patient(patience);
        Thread coordinating = new Thread(this::coordinate, "coordinator");
        coordinating.setDaemon(true);
        coordinating.start();
        agent =
                ControlConnection.connect(
                        address.get(30, TimeUnit.SECONDS),
                        TimeUnit.SECONDS.toNanos(10),
                        Pass.ofCluster(CLUSTER),
                        machine);
        agent.send(
                new Message.Offer(
                        FakeWorkers.VERSION,
                        "n1",
                        "",
                        Clock.system().wallMillis(),
                        null,
                        Json.tree(Map.of())));
        Message.Enlisted unused = machine.next(Message.Enlisted.class);
    }

    private void coordinate() {
        AgentLauncher launcher =
                new AgentLauncher(
                        new AgentLauncher.Terms(
                                FakeWorkers.VERSION,
                                new JobTerms("adult", "", Map.of()),
                                BEAT_NS,
                                LONG_NS),
                        () -> Map.of());
        try {
            outcome.complete(run.coordinate(launcher, this::door));
        } catch (Exception e) {
            outcome.completeExceptionally(e);
        }
    }

    private ControlServer door(ControlConnection.Handler inbox) throws IOException {
        ControlServer server =
                ControlServer.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        null,
                        List.of(Pass.ofRun(CoordinatedRun.TOKEN), Pass.ofCluster(CLUSTER)),
                        inbox);
        address.complete(server.address());
        return server;
    }

    /** Time passes for the coordinator, and it has looked at its deadlines since. */
    private void pass(long time, TimeUnit unit) throws InterruptedException {
        run.skip(time, unit);
        machine.beats.drainPermits();
        assertThat(machine.beats.tryAcquire(3, 30, TimeUnit.SECONDS)).isTrue();
    }

    private void join(Message.Launch launch) throws Exception {
        join(launch, Acting.training());
    }

    private void join(Message.Launch launch, Acting script) throws Exception {
        Acting.join(
                new FakeWorkers.Worker(
                        launch.launch(), launch.token(), script, address.get(), exit -> {}));
    }

    private RunOutcome end() throws Exception {
        return outcome.get(30, TimeUnit.SECONDS);
    }
}
