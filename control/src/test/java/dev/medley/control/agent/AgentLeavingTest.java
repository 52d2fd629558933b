package dev.medley.control.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.control.agent.AgentOptions.PortRange;
import dev.medley.control.launcher.LocalWorkers;
import dev.medley.control.launcher.WorkerCommand;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A machine that is wanted back lets its worker end what it has begun. */
@Tag("real")
@Timeout(600)
class AgentLeavingTest {
    private static final long BEAT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE_NS = TimeUnit.HOURS.toNanos(1);

    @TempDir Path folder;

    private final AtomicLong aheadNs = new AtomicLong();
    private final Patient coordinator = new Patient();

    /** A worker that has a long round to end. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException {
            while (System.in.read() >= 0) {}
        }
    }

    /** The time, and what was skipped of it. */
    private final class Hasty implements Clock {
        @Override
        public long nowNs() {
            return Clock.system().nowNs() + aheadNs.get();
        }

        @Override
        public long wallMillis() {
            return Clock.system().wallMillis();
        }
    }

    /** Has a worker started, and waits for whatever it does. */
    private static final class Patient implements ControlConnection.Handler {
        private final BlockingQueue<Message> words = new LinkedBlockingQueue<>();
        private volatile ControlConnection agent;

        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Offer) {
                agent = from;
                from.send(new Message.Enlisted("some", BEAT_NS, PATIENCE_NS));
                LaunchOrder work = new LaunchOrder("run-1", SomeJob.ofBatch(8), List.of(), null, 0);
                from.send(new Message.Launch(1, "secret", Json.tree(work)));
            } else {
                words.add(message);
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}

        <T extends Message> T next(Class<T> expected) throws InterruptedException {
            while (true) {
                Message word = words.poll(60, TimeUnit.SECONDS);
                assertThat(word).as("%s", expected).isNotNull();
                if (expected.isInstance(word)) {
                    return expected.cast(word);
                }
            }
        }
    }

    @Test
    void aWorkerShouldGetTheTimeThatItNeedsToLeave() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        List<JoinSecret> passes =
                List.of(JoinSecret.ofCluster("token"), JoinSecret.ofRun("secret"));
        try (ControlServer server = ControlServer.listen(any, null, passes, coordinator)) {
            Agent agent = agent(server.address());
            CompletableFuture<Boolean> ended =
                    CompletableFuture.supplyAsync(() -> isServedToTheEndBy(agent));
            assertThat(coordinator.next(Message.Started.class).launch()).isEqualTo(1);
            agent.leave();
            assertThat(coordinator.next(Message.Leaving.class).why())
                    .isEqualTo("n1 is wanted back");
            aheadNs.addAndGet(TimeUnit.MINUTES.toNanos(10));
            for (int beat = 0; beat < 5; beat++) {
                Message.Present unused = coordinator.next(Message.Present.class);
            }
            coordinator.agent.send(new Message.Kill(1)); // It would leave by itself.
            assertThat(coordinator.next(Message.Exited.class).launch()).isEqualTo(1);
            assertThat(ended.get(120, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Who cannot wait asks twice. */
    @Test
    void aSecondWishShouldEndItAtOnce() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        List<JoinSecret> passes =
                List.of(JoinSecret.ofCluster("token"), JoinSecret.ofRun("secret"));
        try (ControlServer server = ControlServer.listen(any, null, passes, coordinator)) {
            Agent agent = agent(server.address());
            CompletableFuture<Boolean> ended =
                    CompletableFuture.supplyAsync(() -> isServedToTheEndBy(agent));
            Message.Started unused = coordinator.next(Message.Started.class);
            agent.leave();
            agent.leave();
            assertThat(ended.get(120, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean isServedToTheEndBy(Agent agent) {
        try {
            return agent.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Agent agent(InetSocketAddress at) {
        AgentOptions options =
                new AgentOptions(
                        at,
                        null,
                        any -> "token",
                        "n1",
                        "",
                        null,
                        null,
                        PortRange.ANY,
                        folder,
                        false,
                        AgentOptions.Stay.RUN_AFTER_RUN);
        return new Agent(
                options,
                null,
                () -> Json.tree(Map.of()),
                null,
                LocalWorkers.processes(
                        job ->
                                new WorkerCommand(
                                        Program.class.getName(),
                                        System.getProperty("java.class.path"),
                                        List.of(),
                                        Map.of())),
                sentence -> {},
                new Hasty());
    }
}
