package dev.medley.control.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.job.JobTerms;
import dev.medley.base.time.Clock;
import dev.medley.control.agent.AgentOptions.PortRange;
import dev.medley.control.agent.AgentOptions.Stay;
import dev.medley.control.files.Shipment;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.DismissalKind;
import dev.medley.net.door.JoinSecret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent and somebody at the other end who is no coordinator for it, over real sockets. */
@Tag("real")
@Timeout(600)
class AgentTest {
    private static final Clock CLOCK = Clock.system();

    private final List<String> said = new CopyOnWriteArrayList<>();

    /** Hangs up on whoever offers a machine, until it says why that is no use. */
    private static final class Unfriendly implements ControlConnection.Handler {
        private final int hangUps;
        private final List<Long> offeredNs = new CopyOnWriteArrayList<>();

        Unfriendly(int hangUps) {
            this.hangUps = hangUps;
        }

        @Override
        public void received(ControlConnection from, Message message) {
            if (!(message instanceof Message.Offer)) {
                return;
            }
            offeredNs.add(CLOCK.nowNs());
            if (offeredNs.size() > hangUps) {
                from.send(new Message.Dismissed(DismissalKind.REFUSED, "it is another build"));
                from.closeOnceSent(TimeUnit.SECONDS.toNanos(5));
            } else {
                from.close();
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    @Test
    void shouldWaitLongerEachTimeBeforeItOffersItselfAgainAndSayOnceWhy() throws Exception {
        Unfriendly other = new Unfriendly(2);
        try (ControlServer server =
                ControlServer.onLoopback(JoinSecret.ofCluster("token"), other)) {
            assertThatThrownBy(agent(server.address())::run)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("refuses this machine: it is another build");
        }
        assertThat(other.offeredNs).hasSize(3);
        assertThat(other.offeredNs.get(1) - other.offeredNs.get(0))
                .isGreaterThanOrEqualTo(Backoff.LEAST_NS);
        assertThat(other.offeredNs.get(2) - other.offeredNs.get(1))
                .isGreaterThanOrEqualTo(2 * Backoff.LEAST_NS);
        assertThat(said)
                .singleElement()
                .asString()
                .contains("hung up without a word", "a coordinator of Medley " + Version.build());
    }

    /** Takes whoever offers a machine, and ends the run; what it says of the end, if anything. */
    private record Ender(@Nullable DismissalKind last) implements ControlConnection.Handler {
        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Offer) {
                from.send(new Message.Enlisted("some", 1_000_000_000L, 10_000_000_000L));
                if (last != null) {
                    from.send(new Message.Dismissed(last, "the run is over"));
                }
                from.closeOnceSent(TimeUnit.SECONDS.toNanos(5));
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    @Test
    void theOneRunShouldSayWhetherItTookTheMachine() throws Exception {
        assertThat(isServedOnceBy(new Unfriendly(9))).isFalse();
        assertThat(isServedOnceBy(new Ender(null))).isFalse();
        assertThat(isServedOnceBy(new Ender(DismissalKind.DONE))).isTrue();
    }

    /** Ends the runs one after the other. */
    private static final class Farewells implements ControlConnection.Handler {
        private final Queue<DismissalKind> left;

        Farewells(DismissalKind... kinds) {
            left = new ConcurrentLinkedQueue<>(List.of(kinds));
        }

        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Offer) {
                new Ender(left.remove()).received(from, message);
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    @Test
    void shouldStayUntilARunIsDoneWhereItBrokeOff() throws Exception {
        Farewells runs =
                new Farewells(
                        DismissalKind.BROKEN_OFF, DismissalKind.BROKEN_OFF, DismissalKind.DONE);
        try (ControlServer server = ControlServer.onLoopback(JoinSecret.ofCluster("token"), runs)) {
            assertThat(agent(server.address(), null, Stay.UNTIL_DONE).run()).isTrue();
        }
        assertThat(runs.left).isEmpty();
    }

    private boolean isServedOnceBy(ControlConnection.Handler other) throws Exception {
        try (ControlServer server =
                ControlServer.onLoopback(JoinSecret.ofCluster("token"), other)) {
            return agent(server.address(), null, Stay.ONE_RUN).run();
        }
    }

    /** Takes whoever offers a machine, and has it work for another job than it serves. */
    private static final class Deceiver implements ControlConnection.Handler {
        private final BlockingQueue<Message.Exited> exits = new LinkedBlockingQueue<>();

        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Offer) {
                from.send(new Message.Enlisted("some", 1_000_000_000L, 10_000_000_000L));
                LaunchOrder work = new LaunchOrder("run-1", SomeJob.ofBatch(9), List.of(), null, 0);
                from.send(new Message.Launch(1, "secret", Json.tree(work)));
            } else if (message instanceof Message.Exited exited) {
                exits.add(exited);
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    @Test
    void shouldStartNothingForAnotherJobThanItServesWhateverTheCoordinatorSays() throws Exception {
        Deceiver other = new Deceiver();
        ServedJob served =
                new ServedJob(
                        SomeJob.ofBatch(8),
                        "job.yaml",
                        (job, file, classes) ->
                                new JobTerms(
                                        job.name(),
                                        file,
                                        Map.of("train.batch", "" + job.train().batch())));
        try (ControlServer server =
                ControlServer.onLoopback(JoinSecret.ofCluster("token"), other)) {
            assertThatThrownBy(agent(server.address(), served, Stay.RUN_AFTER_RUN)::run)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("which asks for another job: n1 serves job.yaml (job")
                    .hasMessageContaining("train.batch is 9 in the run and 8 in job.yaml");
            Message.Exited exited = other.exits.poll(30, TimeUnit.SECONDS);
            assertThat(exited.launch()).isEqualTo(1);
            assertThat(exited.lastWords()).contains("train.batch is 9 in the run");
        }
    }

    /** Has workers started whose files never come, and takes that back. */
    private static final class Fickle implements ControlConnection.Handler {
        private final BlockingQueue<Message.Exited> exits = new LinkedBlockingQueue<>();
        private volatile ControlConnection agent;
        private final AtomicInteger launched = new AtomicInteger();

        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Offer) {
                agent = from;
                from.send(new Message.Enlisted("some", 1_000_000_000L, 60_000_000_000L));
                launchNext();
            } else if (message instanceof Message.Fetch) {
                agent.send(new Message.Kill(launched.get()));
            } else if (message instanceof Message.Exited exited) {
                exits.add(exited);
                if (launched.get() == 1) {
                    launchNext();
                }
            }
        }

        private void launchNext() {
            int launch = launched.incrementAndGet();
            Shipment data = new Shipment("data", "/x/data", Map.of("a", 10L), null, Set.of());
            LaunchOrder work =
                    new LaunchOrder("run-1", SomeJob.ofBatch(8), List.of(data), null, 1 << 20);
            agent.send(new Message.Launch(launch, "secret", Json.tree(work)));
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    @Test
    void aWorkerThatNobodyWaitsForShouldBeGivenUpThoughItsFilesHaveNotCome(@TempDir Path folder)
            throws Exception {
        Fickle other = new Fickle();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        List<JoinSecret> passes =
                List.of(JoinSecret.ofCluster("token"), JoinSecret.ofRun("secret"));
        try (ControlServer server = ControlServer.listen(any, null, passes, other)) {
            Agent agent = agent(server.address(), null, Stay.RUN_AFTER_RUN, folder);
            CompletableFuture<Boolean> ended =
                    CompletableFuture.supplyAsync(() -> isServedToTheEndBy(agent));
            for (int launch = 1; launch <= 2; launch++) {
                Message.Exited exited = other.exits.poll(30, TimeUnit.SECONDS);
                assertThat(exited.launch()).isEqualTo(launch);
                assertThat(exited.lastWords()).isEqualTo("n1: nobody waits for it any more");
            }
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

    @Test
    void shouldNotWaitForeverLonger() {
        Backoff backoff = new Backoff();
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.failed()).isBetween(Backoff.LEAST_NS, Backoff.MOST_NS);
        }
        assertThat(backoff.failed()).isEqualTo(Backoff.MOST_NS);
        backoff.succeeded();
        assertThat(backoff.failed()).isEqualTo(Backoff.LEAST_NS);
    }

    private Agent agent(InetSocketAddress coordinator) {
        return agent(coordinator, null, Stay.RUN_AFTER_RUN);
    }

    private Agent agent(InetSocketAddress coordinator, @Nullable ServedJob served, Stay stay) {
        return agent(coordinator, served, stay, Path.of("nowhere"));
    }

    private Agent agent(
            InetSocketAddress coordinator, @Nullable ServedJob served, Stay stay, Path folder) {
        AgentOptions options =
                new AgentOptions(
                        coordinator,
                        null,
                        any -> "token",
                        "n1",
                        "",
                        null,
                        null,
                        PortRange.ANY,
                        folder,
                        false,
                        stay);
        return new Agent(
                options,
                null,
                () -> Json.tree(Map.of()),
                served,
                (job, start, place, logs) -> {
                    throw new AssertionError("nobody asks for a worker");
                },
                said::add,
                CLOCK);
    }
}
