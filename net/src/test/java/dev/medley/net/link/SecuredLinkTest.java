package dev.medley.net.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Seeds;
import dev.medley.net.certs.TestClusters.Who;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a link under TLS does once its handshake is through, over a real socket. */
@Tag("unit")
@Timeout(600)
class SecuredLinkTest {
    private static final long LONG_NS = 20_000_000_000L;
    private static final Executor THREADS = command -> new Thread(command).start();

    private Link one;
    private Link other;

    @BeforeEach
    void connect() throws Exception {
        List<Link> pair = pair(Who.ONE, Who.OTHER);
        one = pair.get(0);
        other = pair.get(1);
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    /** Two ends of a secured connection whose handshake is through. */
    static List<Link> pair(Who dials, Who answers) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel out = SocketChannel.open(server.getLocalAddress());
            SocketChannel in = server.accept();
            ByteBuffer nothing = ByteBuffer.allocate(0);
            List<Link> pair =
                    List.of(
                            Link.secured(
                                    out,
                                    new TlsChannel(out, dials.credentials().dialling(), nothing),
                                    1,
                                    "one",
                                    Lane.DATA),
                            Link.secured(
                                    in,
                                    new TlsChannel(in, answers.credentials().answering(), nothing),
                                    0,
                                    "other",
                                    Lane.DATA));
            CompletableFuture<Void> shaken = run(() -> shake(pair.get(0)));
            shake(pair.get(1));
            shaken.get(120, TimeUnit.SECONDS);
            // As a welcome does: session tickets of the side that answers are read with it.
            send(pair.get(1), new byte[1], 1);
            receive(pair.get(0), new byte[1], 1);
            return pair;
        }
    }

    private static void shake(Link link) throws FaultSignal {
        try (LinkPoll poll = new LinkPoll()) {
            for (Interest wanted = link.handshake();
                    wanted != Interest.NONE;
                    wanted = link.handshake()) {
                poll.want(link, wanted);
                poll.await(LONG_NS, ready -> {});
            }
        }
    }

    /** Work that may end in a fault. */
    interface Work {
        void run() throws Exception;
    }

    static CompletableFuture<Void> run(Work work) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        work.run();
                    } catch (Exception e) {
                        throw new IllegalStateException(e.getMessage(), e);
                    }
                },
                THREADS);
    }

    /** Sends all, in pieces of that length, waiting whenever the link is full. */
    static void send(Link link, byte[] all, int pieceBytes) throws FaultSignal {
        try (LinkPoll poll = new LinkPoll()) {
            ByteBuffer from = ByteBuffer.wrap(all);
            while (from.hasRemaining()) {
                from.limit(Math.min(all.length, from.position() + pieceBytes));
                if (link.write(from) == 0) {
                    poll.want(link, Interest.WRITE);
                    poll.await(LONG_NS, ready -> {});
                }
                from.limit(all.length);
            }
        }
    }

    /** Receives all, in pieces of that length; waits for as long as it takes, or a minute. */
    static void receive(Link link, byte[] all, int pieceBytes) throws FaultSignal {
        try (LinkPoll poll = new LinkPoll()) {
            ByteBuffer piece = ByteBuffer.allocateDirect(pieceBytes);
            int done = 0;
            poll.want(link, Interest.READ);
            while (done < all.length) {
                piece.clear().limit(Math.min(pieceBytes, all.length - done));
                int count = link.read(piece);
                if (count < 0) {
                    throw new IllegalStateException("the end after " + done);
                }
                piece.flip().get(all, done, count);
                done += count;
                AtomicInteger woken = new AtomicInteger();
                if (count == 0) {
                    poll.await(LONG_NS, ready -> woken.incrementAndGet());
                    assertThat(woken).as("ready links, after %d bytes", done).hasPositiveValue();
                }
            }
        }
    }

    @Test
    void shouldMoveManyBytesBothWaysAtOnceWithAReaderAndAWriterOnEachSide() throws Exception {
        byte[] there = noise(12 << 20, 1);
        byte[] back = noise(12 << 20, 2);
        byte[] arrivedThere = new byte[there.length];
        byte[] arrivedBack = new byte[back.length];
        List<CompletableFuture<Void>> all =
                List.of(
                        run(() -> send(one, there, 1 << 20)),
                        run(() -> send(other, back, 77_777)),
                        run(() -> receive(other, arrivedThere, 1 << 20)),
                        run(() -> receive(one, arrivedBack, 1001)));
        for (CompletableFuture<Void> each : all) {
            each.get(100, TimeUnit.SECONDS);
        }
        assertThat(arrivedThere).isEqualTo(there);
        assertThat(arrivedBack).isEqualTo(back);
    }

    @Test
    void shouldNotSleepWhileDecryptedBytesWait() throws Exception {
        send(one, "twelve bytes".getBytes(StandardCharsets.US_ASCII), 100);
        byte[] first = new byte[5];
        receive(other, first, 5);
        try (LinkPoll poll = new LinkPoll()) {
            List<Link> ready = new ArrayList<>();
            poll.want(other, Interest.WRITE);
            poll.await(0, ready::add);
            assertThat(ready).as("who waits for room alone").containsExactly(other);
            ready.clear();
            poll.want(other, Interest.READ);
            poll.await(LONG_NS, ready::add);
            assertThat(ready).as("no selector announces the seven").containsExactly(other);
            byte[] rest = new byte[7];
            receive(other, rest, 7);
            assertThat(new String(rest, StandardCharsets.US_ASCII)).isEqualTo("e bytes");
            ready.clear();
            poll.await(1, ready::add);
            assertThat(ready).as("nothing is left").isEmpty();
        }
    }

    @Test
    void shouldCountBytesOnlyWhenTheKernelHasThem() throws Exception {
        byte[] all = noise(16 << 20, 3);
        ByteBuffer from = ByteBuffer.wrap(all);
        while (one.write(from) > 0) {
            assertThat(from.hasRemaining()).isTrue();
        }
        assertThat(one.write(from)).as("the kernel is full").isZero();
        byte[] arrived = new byte[from.position()];
        receive(other, arrived, 1 << 16);
        assertThat(arrived).isEqualTo(java.util.Arrays.copyOf(all, arrived.length));
    }

    @Test
    void shouldEndInAFaultWhenTheOtherSideClosesMidWay() throws Exception {
        CompletableFuture<Void> sending = run(() -> send(one, noise(16 << 20, 4), 1 << 20));
        receive(other, new byte[1 << 20], 1 << 16);
        other.close();
        assertThatThrownBy(() -> sending.get(120, TimeUnit.SECONDS))
                .hasMessageContaining("the connection to one broke");
        assertThatThrownBy(() -> other.read(ByteBuffer.allocate(1)))
                .isInstanceOf(FaultSignal.class);
    }

    @Test
    void shouldTellTheEndToAReader() throws Exception {
        send(one, new byte[3], 3);
        one.close();
        receive(other, new byte[3], 3);
        assertThat(other.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldRefuseBytesThatWereChangedOnTheirWay() throws IOException {
        SocketChannel raw = one.channel();
        // A record of application data whose seal cannot be right.
        raw.write(ByteBuffer.wrap(new byte[] {0x17, 3, 3, 0, 32}));
        raw.write(ByteBuffer.allocate(32));
        assertThatThrownBy(() -> receive(other, new byte[1], 1))
                .isInstanceOf(FaultSignal.class)
                .hasMessageContaining("TLS with other failed");
    }

    @Test
    void shouldTakeNewKeysWhileBytesMove(@TempDir Path folder) throws Exception {
        Path limits = folder.resolve("limits");
        Files.writeString(
                limits,
                "jdk.tls.keyLimits=AES/GCM/NoPadding KeyUpdate 2^18,"
                        + " ChaCha20-Poly1305 KeyUpdate 2^18\n");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-Djava.security.properties=" + limits,
                                "-cp",
                                System.getProperty("java.class.path"),
                                NewKeysProcess.class.getName())
                        .inheritIO()
                        .start();
        assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    static byte[] noise(int bytes, long seed) {
        byte[] noise = new byte[bytes];
        Seeds.generator(seed).nextBytes(noise);
        return noise;
    }
}
