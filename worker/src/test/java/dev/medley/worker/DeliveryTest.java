package dev.medley.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.KeptState;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.files.FilesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Over a connection to a coordinator that takes nothing before it is told to. */
@Tag("unit")
@Timeout(600)
class DeliveryTest {
    private static final JoinSecret PASS = JoinSecret.ofRun("secret");
    private static final KeptState OF = new KeptState(1, 1, null);

    @TempDir Path run;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch taken = new CountDownLatch(1);
    private volatile String refused = "";
    private final AtomicInteger hangUps = new AtomicInteger();
    private final List<String> came = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();

    /** Checkpoints are made, and deleted, while the first is under way over a slow link. */
    @Test
    void theNewestShouldFollowWhatIsUnderWayThoughThatIsDeleted() throws Exception {
        try (ControlServer server = ControlServer.onLoopback(PASS, new Slow());
                Delivery delivery = Delivery.over(() -> client(server), run, Path.of("there"))) {
            later(delivery, "one");
            assertThat(begun.await(120, TimeUnit.SECONDS)).isTrue();
            later(delivery, "two");
            later(delivery, "three");
            delete("one");
            delete("two");
            taken.countDown();
            delivery.finish(TimeUnit.SECONDS.toNanos(30));
        }
        assertThat(came)
                .containsExactly(
                        "a.bin: one a",
                        "b.bin: one b",
                        "one",
                        "a.bin: three a",
                        "b.bin: three b",
                        "three");
        assertThat(told).containsExactly("one is kept", "three is kept");
    }

    @Test
    void whatIsGoneBeforeItsTurnShouldBeSaid() throws Exception {
        taken.countDown();
        try (ControlServer server = ControlServer.onLoopback(PASS, new Slow());
                Delivery delivery = Delivery.over(() -> client(server), run, Path.of("there"))) {
            delivery.bringLater(run.resolve("none"), OF, () -> told.add("kept"), told::add);
            delivery.finish(TimeUnit.SECONDS.toNanos(30));
        }
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("none could not be brought to the coordinator: ");
    }

    /**
     * As by a full disk: what was sent ahead is refused, too, and none of it is of what follows.
     */
    @Test
    void whatFollowsARefusalShouldBeBroughtAllTheSame() throws Exception {
        taken.countDown();
        refused = "one";
        try (ControlServer server = ControlServer.onLoopback(PASS, new Slow());
                Delivery delivery = Delivery.over(() -> client(server), run, Path.of("there"))) {
            for (String name : List.of("one", "two")) {
                Path folder = Files.createDirectory(run.resolve(name));
                Files.write(folder.resolve("weights"), new byte[(3 << 20) + 1]);
                delivery.bringLater(folder, OF, () -> told.add(name + " is kept"), told::add);
                delivery.finish(TimeUnit.SECONDS.toNanos(30));
            }
        }
        assertThat(told)
                .containsExactly(
                        "one could not be brought to the coordinator: weights: no room",
                        "two is kept");
    }

    @Test
    void whatFollowsABrokenConnectionShouldBeBroughtAllTheSame() throws Exception {
        taken.countDown();
        hangUps.set(1);
        try (ControlServer server = ControlServer.onLoopback(PASS, new Slow());
                Delivery delivery = Delivery.over(() -> client(server), run, Path.of("there"))) {
            later(delivery, "one");
            delivery.finish(TimeUnit.SECONDS.toNanos(30));
            later(delivery, "two");
            delivery.finish(TimeUnit.SECONDS.toNanos(30));
        }
        assertThat(told).hasSize(2).last().isEqualTo("two is kept");
    }

    /** As with a certificate that expires in mid-run: this worker has more to keep. */
    @Test
    void whatNoNewConnectionIsHadForShouldBeSaidAndNothingElseEnd() throws Exception {
        taken.countDown();
        hangUps.set(1);
        AtomicInteger opened = new AtomicInteger();
        try (ControlServer server = ControlServer.onLoopback(PASS, new Slow());
                Delivery delivery =
                        Delivery.over(
                                () -> {
                                    ConfigException.check(
                                            opened.getAndIncrement() == 0,
                                            "the certificate has expired");
                                    return client(server);
                                },
                                run,
                                Path.of("there"))) {
            for (String name : List.of("one", "two")) {
                later(delivery, name);
                delivery.finish(TimeUnit.SECONDS.toNanos(30));
            }
            assertThat(told)
                    .hasSize(2)
                    .last()
                    .isEqualTo(
                            "two could not be brought to the coordinator: the certificate has"
                                    + " expired");
            assertThatThrownBy(() -> delivery.kept(run.resolve("model")))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aDeliveryThatBreaksShouldNotKeepWhoWaitsFromGoingOn() throws Exception {
        taken.countDown();
        try (ControlServer server = ControlServer.onLoopback(PASS, new Slow());
                Delivery delivery = Delivery.over(() -> client(server), run, Path.of("there"))) {
            Path folder = Files.createDirectory(run.resolve("one"));
            Files.writeString(folder.resolve("a.bin"), "a");
            delivery.bringLater(
                    folder,
                    OF,
                    () -> {
                        throw new IllegalStateException("a bug");
                    },
                    told::add);
            delivery.finish(TimeUnit.SECONDS.toNanos(30));
            later(delivery, "two");
            delivery.finish(TimeUnit.SECONDS.toNanos(30));
        }
        assertThat(told).containsExactly("two is kept");
    }

    private void later(Delivery delivery, String name) throws IOException {
        Path folder = Files.createDirectory(run.resolve(name));
        Files.writeString(folder.resolve("a.bin"), name + " a");
        Files.writeString(folder.resolve("b.bin"), name + " b");
        delivery.bringLater(folder, OF, () -> told.add(name + " is kept"), told::add);
    }

    private void delete(String name) throws IOException {
        Path folder = run.resolve(name);
        Files.delete(folder.resolve("a.bin"));
        Files.delete(folder.resolve("b.bin"));
        Files.delete(folder);
    }

    private static FilesClient client(ControlServer server) throws IOException {
        return FilesClient.open(
                handler ->
                        ControlConnection.connect(
                                server.address(), TimeUnit.SECONDS.toNanos(10), PASS, handler));
    }

    /** Takes what comes, each file with the content that it had. */
    private final class Slow implements ControlConnection.Handler {
        @Override
        public void received(ControlConnection from, Message message) {
            begun.countDown();
            if (message instanceof Message.Bring bring) {
                came.add(bring.file() + ": " + new String(bring.bytes(), UTF_8));
            } else if (message instanceof Message.Keep keep) {
                came.add(keep.folder());
            }
            try {
                assertThat(taken.await(120, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (hangUps.getAndDecrement() > 0) {
                from.close();
            } else if (message instanceof Message.Bring bring && bring.folder().equals(refused)) {
                from.send(new Message.Refused("no room"));
            } else {
                from.send(new Message.Received());
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }
}
