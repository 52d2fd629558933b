package dev.medley.net.link;

import dev.medley.base.time.Clock;
import dev.medley.net.certs.TestClusters.Who;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What TLS costs on a link: the source of the figures in docs/security.md. */
final class LinkThroughput {
    private static final int ROUNDS = 7;
    private static final int PIECE_BYTES = 1 << 20;
    private static final int PIECES = 512;

    private LinkThroughput() {}

    /** Prints MB/s and CPU seconds a GB, plain and under TLS: the medians of some rounds. */
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) { // The first pass warms up.
            measure("plain", plainPair());
            measure("TLS", SecuredLinkTest.pair(Who.ONE, Who.ONE));
        }
    }

    private static List<Link> plainPair() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel out = SocketChannel.open(server.getLocalAddress());
            return List.of(
                    Link.plain(out, 1, "one", Lane.DATA),
                    Link.plain(server.accept(), 0, "other", Lane.DATA));
        }
    }

    private static void measure(String name, List<Link> pair) throws Exception {
        double[] rates = new double[ROUNDS];
        double[] costs = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long startNs = Clock.system().nowNs();
            long startCpuNs = cpuNs();
            CompletableFuture<Void> sending = SecuredLinkTest.run(() -> send(pair.get(0)));
            receive(pair.get(1));
            sending.get(120, TimeUnit.SECONDS);
            double bytes = (double) PIECES * PIECE_BYTES;
            rates[round] = bytes / 1e6 / ((Clock.system().nowNs() - startNs) / 1e9);
            costs[round] = (cpuNs() - startCpuNs) / 1e9 / (bytes / 1e9);
        }
        pair.forEach(Link::close);
        Arrays.sort(rates);
        Arrays.sort(costs);
        System.out.printf(
                Locale.ROOT,
                "%-5s  %5.0f MB/s (%.0f to %.0f), %.2f s of CPU a GB, both sides%n",
                name,
                rates[ROUNDS / 2],
                rates[0],
                rates[ROUNDS - 1],
                costs[ROUNDS / 2]);
    }

    private static long cpuNs() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void send(Link link) throws FaultSignal {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        try (LinkPoll poll = new LinkPoll()) {
            poll.want(link, Interest.WRITE);
            for (int i = 0; i < PIECES; i++) {
                piece.clear();
                while (piece.hasRemaining()) {
                    if (link.write(piece) == 0) {
                        poll.await(1_000_000_000L, ready -> {});
                    }
                }
            }
        }
    }

    private static void receive(Link link) throws FaultSignal {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        try (LinkPoll poll = new LinkPoll()) {
            poll.want(link, Interest.READ);
            for (int i = 0; i < PIECES; i++) {
                piece.clear();
                while (piece.hasRemaining()) {
                    if (link.read(piece) == 0) {
                        poll.await(1_000_000_000L, ready -> {});
                    }
                }
            }
        }
    }
}
