package dev.medley.control.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.control.agent.AgentOptions.PortRange;
import dev.medley.control.coordinator.HostileFrames;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.door.FrameKey;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.door.Recognition;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever somebody says who listens where a coordinator should, with the token or without: the
 * agent goes on, and joins the next that means well. {@code -Dmedley.seeds=N} for N times 40
 * frames.
 */
@Tag("property")
@Tag("simulation")
class HostileCoordinatorTest {
    private static final int FRAMES = 40 * Integer.getInteger("medley.seeds", 15);
    private static final long SEED = Long.getLong("medley.seed", 30);
    private static final JoinSecret PASS = JoinSecret.ofCluster("token-of-the-cluster");
    private static final String VERSION = dev.medley.base.Version.build();

    private int frames;

    @Test
    @Timeout(3600)
    void theAgentShouldGoOn(@TempDir Path folder) throws Exception {
        ServerSocket hostile = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        InetSocketAddress address = (InetSocketAddress) hostile.getLocalSocketAddress();
        Agent agent = agent(address, folder);
        CompletableFuture<String> end = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                agent.run();
                                end.complete("left");
                            } catch (InterruptedException | RuntimeException e) {
                                end.complete(e.toString());
                            }
                        });
        thread.setDaemon(true);
        thread.start();
        try (hostile) {
            for (long call = 0; frames < FRAMES && !end.isDone(); call++) {
                try (Socket socket = hostile.accept()) {
                    socket.setSoLinger(true, 0);
                    misspeak(socket, Seeds.generator(SEED, call));
                } catch (IOException e) {
                    continue; // As it deserves.
                }
            }
        }
        assertThat(end).as("after %d frames: %s", frames, end).isNotDone();
        CountDownLatch offered = new CountDownLatch(1);
        try (ControlServer honest =
                ControlServer.listen(address, null, List.of(PASS), new Honest(offered))) {
            assertThat(offered.await(120, TimeUnit.SECONDS)).as(honest.toString()).isTrue();
            agent.leave();
            assertThat(end.get(120, TimeUnit.SECONDS)).isEqualTo("left");
        }
    }

    private void misspeak(Socket socket, RandomGenerator random) throws IOException {
        HostileFrames hostile = new HostileFrames(random, VERSION, "job");
        InputStream in = socket.getInputStream();
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        int way = random.nextInt(10);
        if (way == 0) {
            frames++;
            out.write(hostile.noise());
            return;
        }
        JoinSecret pass = way == 1 ? JoinSecret.ofCluster("guess") : PASS;
        FrameKey key = Recognition.asHost(in, out, Map.of(pass.kind(), pass), "it").fromHost();
        if (way < 8) {
            byte[] enlisted = Json.bytes(new Message.Enlisted("job", 1_000_000_000, 1L << 40));
            out.writeInt(enlisted.length);
            out.write(key.sign(enlisted));
            out.write(enlisted);
        }
        int count = random.nextInt(1, 7);
        for (int i = 0; i < count; i++) {
            frames++;
            if (!hostile.say(out, key)) {
                break;
            }
        }
        socket.shutdownOutput();
        while (in.read() >= 0) {} // Until the agent has heard all.
    }

    private static final class Honest implements ControlConnection.Handler {
        private final CountDownLatch offered;

        Honest(CountDownLatch offered) {
            this.offered = offered;
        }

        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Offer) {
                from.send(new Message.Enlisted("job", 1_000_000_000, 10_000_000_000L));
                offered.countDown();
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    private static Agent agent(InetSocketAddress coordinator, Path folder) {
        AgentOptions options =
                new AgentOptions(
                        coordinator,
                        null,
                        any -> PASS.secret(),
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
                        (job, start, place, logs) -> {
                            throw new ConfigException("no worker is started here");
                        },
                        sentence -> {},
                        Clock.system())
                .backingOff(new Backoff(10_000));
    }
}
