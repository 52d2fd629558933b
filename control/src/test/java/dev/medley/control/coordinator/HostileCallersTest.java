package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.time.Clock;
import dev.medley.control.launcher.Launching;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.LinkBytes;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.plan.source.BalancedPlan;
import dev.medley.plan.source.SharePlan;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Whatever callers say to a coordinator, with its secrets or without, in any order: its run goes
 * on, and ends well. {@code -Dmedley.seeds=N} for N times 100 frames.
 */
@Tag("property")
@Tag("simulation")
class HostileCallersTest {
    private static final int FRAMES = 100 * Integer.getInteger("medley.seeds", 15);
    private static final int CALLERS = 4;
    private static final long SEED = Long.getLong("medley.seed", 30);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String RUN = "secret-of-the-run";
    private static final String CLUSTER = "token-of-the-cluster";

    private final CountDownLatch grouped = new CountDownLatch(2);
    private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();
    private final List<FakeWorkers.Worker> honest = new CopyOnWriteArrayList<>();
    private final Set<WorkerId> lost = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();
    private final AtomicInteger frames = new AtomicInteger();

    @Test
    @Timeout(3600)
    void theRunShouldGoOn() throws Exception {
        thread("run", this::play);
        for (int i = 1; i <= 2; i++) {
            ControlConnection agent =
                    ControlConnection.connect(
                            address.get(120, TimeUnit.SECONDS),
                            TimeUnit.SECONDS.toNanos(10),
                            JoinSecret.ofCluster(CLUSTER),
                            new HonestAgent());
            agent.send(offer("honest-" + i));
            thread("beat-" + i, () -> beat(agent));
        }
        assertThat(grouped.await(120, TimeUnit.SECONDS)).isTrue();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            callers.add(thread("caller-" + i, () -> callAgainAndAgain(caller)));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(outcome).as("the run goes on after %s frames", frames).isNotDone();
        assertThat(frames.get()).isGreaterThanOrEqualTo(FRAMES);
        endWell();
        assertThat(outcome.get(120, TimeUnit.SECONDS).kind())
                .as(outcome.get().why())
                .isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(lost).doesNotContain(new WorkerId(1), new WorkerId(2));
    }

    // ---- The run

    private void play() {
        try {
            outcome.complete(run());
        } catch (Exception e) {
            outcome.completeExceptionally(e);
        }
    }

    private RunOutcome run() throws Exception {
        ClusterSpec usual = ClusterSpec.ofWorkers(2);
        Launching launching =
                new Launching.OnAgents(
                        new Launching.Terms(
                                FakeWorkers.VERSION,
                                new JobTerms("adult", "", Map.of()),
                                usual.heartbeatNs(),
                                PATIENCE_NS),
                        launch -> Map.of());
        Coordinator coordinator =
                new Coordinator(
                        new CoordinatorOptions(
                                new ClusterSpec(
                                        2,
                                        1,
                                        List.of(),
                                        List.of(),
                                        usual.heartbeatNs(),
                                        PATIENCE_NS,
                                        PATIENCE_NS,
                                        3,
                                        JoinSpec.at("127.0.0.1:0")),
                                "run " + CoordinatedRun.NAME,
                                "nothing",
                                FakeWorkers.JOB,
                                FakeWorkers.VERSION,
                                new CoordinatorOptions.Patience(
                                        PATIENCE_NS, PATIENCE_NS, PATIENCE_NS, PATIENCE_NS),
                                JoinSpec.Begin.ALL),
                        () -> Json.tree(Map.of()),
                        RUN,
                        new Coordinator.World(
                                launching,
                                inbox ->
                                        ControlServer.listen(
                                                new InetSocketAddress(
                                                        InetAddress.getLoopbackAddress(), 0),
                                                null,
                                                List.of(
                                                        JoinSecret.ofRun(RUN),
                                                        JoinSecret.ofCluster(CLUSTER)),
                                                inbox),
                                BalancedPlan.of(new SharePlan(12, 1, List.of()), 1, 1_000_000),
                                new Watcher(),
                                Clock.system()));
        return coordinator.run();
    }

    private final class Watcher implements RunWatcher {
        private final Map<Integer, Group> groups = new HashMap<>();

        @Override
        public void listening(InetSocketAddress at) {
            address.complete(at);
        }

        @Override
        public void lost(WorkerId worker, Fault fault) {
            lost.add(worker);
        }

        @Override
        public void formed(View view) {
            groups.put(view.group().epoch(), view.group());
        }

        /** As the record takes it: who says it is a member. */
        @Override
        public void carried(WorkerId worker, int epoch, List<LinkBytes> links) {
            Group group = groups.get(epoch);
            if (group != null) {
                links.forEach(link -> group.members().get(link.rank()));
                int unused = group.rankOf(worker);
            }
        }
    }

    // ---- Those who mean well

    /** An agent that starts a worker which only talks, when it is told to. */
    private final class HonestAgent implements ControlConnection.Handler {
        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Launch launch) {
                FakeWorkers.Worker worker =
                        new FakeWorkers.Worker(
                                launch.launch(), launch.token(), script(), address.join(), e -> {});
                try {
                    Acting.join(worker);
                    honest.add(worker);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    /** A step for each group, so that none is in vain. */
    private Acting script() {
        return Acting.idle()
                .whenWelcomed(
                        worker -> {
                            worker.ready();
                            worker.beatFor(TimeUnit.HOURS.toMillis(2));
                        })
                .whenFormed(
                        (worker, view) -> {
                            worker.stepTo(worker.step + 1);
                            if (view.group().size() >= 2) {
                                grouped.countDown();
                            }
                        });
    }

    private static Message.Offer offer(String name) {
        JsonNode nothing = Json.tree(Map.of());
        return new Message.Offer(
                FakeWorkers.VERSION, name, "", Clock.system().wallMillis(), null, nothing);
    }

    private void beat(ControlConnection agent) throws Exception {
        while (!outcome.isDone()) {
            agent.send(new Message.Present());
            try {
                outcome.get(200, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                continue;
            }
        }
    }

    /** Says that all is done, again where a group forms at the same time. */
    private void endWell() throws Exception {
        for (int tries = 0; tries < 100 && !outcome.isDone(); tries++) {
            honest.forEach(worker -> worker.finish("hash"));
            try {
                outcome.get(200, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                continue;
            }
        }
    }

    // ---- Those who do not

    private void callAgainAndAgain(int caller) throws Exception {
        for (long call = 0; frames.get() < FRAMES && !outcome.isDone(); call++) {
            RandomGenerator random = Seeds.generator(SEED, caller, call);
            HostileFrames hostile =
                    new HostileFrames(random, FakeWorkers.VERSION, FakeWorkers.JOB.toString());
            try {
                switch (random.nextInt(8)) {
                    case 0 -> makeNoise(hostile);
                    case 1 -> joinAndMisspeak(hostile, random);
                    case 2, 3, 4 -> misspeak(JoinSecret.ofRun(RUN), hostile, random);
                    default -> misspeak(JoinSecret.ofCluster(CLUSTER), hostile, random);
                }
            } catch (EOFException | SocketException e) {
                continue; // As it deserves.
            }
        }
    }

    private void makeNoise(HostileFrames hostile) throws Exception {
        InetSocketAddress at = address.get();
        try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(hostile.noise());
            socket.shutdownOutput();
            frames.incrementAndGet();
            while (socket.getInputStream().read() >= 0) {}
        }
    }

    private void misspeak(JoinSecret pass, HostileFrames hostile, RandomGenerator random)
            throws Exception {
        try (RawCaller caller = new RawCaller(address.get(), pass)) {
            if (pass.kind() == JoinSecret.Kind.CLUSTER && random.nextBoolean()) {
                caller.say(offer("hostile"));
            }
            sayAll(caller, hostile, random);
        }
    }

    /** As a machine of the cluster does, up to a place in a group, and then otherwise. */
    private void joinAndMisspeak(HostileFrames hostile, RandomGenerator random) throws Exception {
        try (RawCaller agent = new RawCaller(address.get(), JoinSecret.ofCluster(CLUSTER))) {
            agent.say(offer("false"));
            Message.Launch launch = agent.hear(Message.Launch.class);
            try (RawCaller worker =
                    new RawCaller(address.get(), JoinSecret.ofRun(launch.token()))) {
                String job = FakeWorkers.JOB.toString();
                worker.say(new Message.Hello(FakeWorkers.VERSION, job, launch.launch(), 1));
                WorkerId id = worker.hear(Message.Welcome.class).worker();
                if (random.nextBoolean()) {
                    Member self = new Member(id, "host", "", "127.0.0.1", 1, "kernels");
                    worker.say(new Message.Ready(self, Progress.NONE, 1, List.of(), List.of()));
                    Message.Form unused = worker.hear(Message.Form.class);
                }
                sayAll(worker, hostile.ofMembers(), random);
            }
        }
    }

    private void sayAll(RawCaller caller, HostileFrames hostile, RandomGenerator random)
            throws IOException {
        int count = random.nextInt(1, 7);
        for (int i = 0; i < count; i++) {
            frames.incrementAndGet();
            if (!hostile.say(caller.out, caller.key())) {
                break;
            }
        }
        caller.hearOut();
    }

    // ---- Threads

    private interface Task {
        void run() throws Exception;
    }

    private static Thread thread(String name, Task task) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                task.run();
                            } catch (Exception e) {
                                throw new AssertionError(name, e);
                            }
                        },
                        name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
