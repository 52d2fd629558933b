package dev.medley.net.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets through the door of a process, over real sockets. */
@Tag("unit")
class LinkListenerTest {
    private static final Clock CLOCK = Clock.system();
    private static final long PATIENCE_NS = 5_000_000_000L;

    private final List<LinkListener> listeners = new ArrayList<>();

    @AfterEach
    void close() {
        listeners.forEach(LinkListener::close);
    }

    private LinkListener listen(String token) {
        LinkListener listener =
                LinkListener.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), token, CLOCK);
        listeners.add(listener);
        return listener;
    }

    private Group group(int epoch) {
        List<Member> members = new ArrayList<>();
        for (LinkListener listener : listeners) {
            members.add(
                    new Member(
                            new WorkerId(10 + members.size()),
                            "host",
                            Member.NO_SITE,
                            "127.0.0.1",
                            listener.port(),
                            ""));
        }
        return new Group(epoch, members);
    }

    private CompletableFuture<Mesh> join(int rank, Group group, long patienceNs) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return Mesh.join(
                                listeners.get(rank),
                                group,
                                rank,
                                CLOCK,
                                CLOCK.nowNs() + patienceNs,
                                () -> false);
                    } catch (FaultSignal signal) {
                        throw new Refused(signal.fault());
                    }
                },
                command -> new Thread(command).start());
    }

    private static Fault faultOf(CompletableFuture<Mesh> joining) {
        try {
            joining.get(120, TimeUnit.SECONDS).close();
            throw new AssertionError("joined");
        } catch (java.util.concurrent.ExecutionException e) {
            return ((Refused) e.getCause()).fault;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6})
    void shouldJoinEveryoneWithEveryoneOnEveryLane(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            listen("secret");
        }
        Group group = group(1);
        List<CompletableFuture<Mesh>> joining = new ArrayList<>();
        for (int rank = 0; rank < count; rank++) {
            joining.add(join(rank, group, PATIENCE_NS));
        }
        List<Mesh> meshes = new ArrayList<>();
        for (CompletableFuture<Mesh> each : joining) {
            meshes.add(each.get(120, TimeUnit.SECONDS));
        }
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                for (Lane lane : Lane.of(group)) {
                    if (from != to) {
                        checkWord(meshes.get(from).link(to, lane), meshes.get(to).link(from, lane));
                    }
                }
            }
        }
        meshes.forEach(Mesh::close);
    }

    private static void checkWord(Link out, Link in) throws FaultSignal {
        long word = 31L * out.peerRank() + out.lane().hashCode();
        out.write(ByteBuffer.allocate(8).putLong(word).flip());
        ByteBuffer received = ByteBuffer.allocate(8);
        try (LinkPoll poll = new LinkPoll()) {
            poll.want(in, Interest.READ);
            while (received.hasRemaining()) {
                poll.await(PATIENCE_NS, ready -> {});
                in.read(received);
            }
        }
        assertThat(received.getLong(0)).isEqualTo(word);
    }

    @Test
    void shouldKeepAnEarlyCallerUntilItsEpochIsFormed() throws Exception {
        listen("secret");
        listen("secret");
        Group group = group(5);
        CompletableFuture<Mesh> early = join(1, group, PATIENCE_NS);
        listeners.get(0).retireBelow(5);
        Mesh late = join(0, group, PATIENCE_NS).get(120, TimeUnit.SECONDS);
        early.get(120, TimeUnit.SECONDS).close();
        late.close();
    }

    @Test
    void shouldRefuseAnEpochThatIsOverAlsoWhenTheCallerWasWaiting() {
        listen("secret");
        listen("secret");
        CompletableFuture<Mesh> waiting = join(1, group(2), PATIENCE_NS);
        while (!waiting.isDone()) {
            listeners.get(0).retireBelow(3);
            Thread.onSpinWait();
        }
        Fault fault = faultOf(waiting);
        assertThat(fault.kind()).isEqualTo(Fault.Kind.SEALED);
        assertThat(fault.who()).isEqualTo("worker-10");
        assertThat(fault.message()).contains("epoch 2", "epoch 3");
        assertThat(faultOf(join(1, group(1), PATIENCE_NS)).kind()).isEqualTo(Fault.Kind.SEALED);
    }

    @Test
    void shouldRefuseAnotherToken() {
        listen("secret");
        listen("guess");
        assertThat(faultOf(join(1, group(1), PATIENCE_NS)).message()).contains("another run");
    }

    @Test
    void shouldDropNoiseAndServeTheNext() throws Exception {
        LinkListener listener = listen("secret");
        listen("secret");
        Group group = group(1);
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), listener.port());
                Socket noisy = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            assertThat(silent.isConnected()).isTrue();
            noisy.getOutputStream().write(new byte[4096]);
            noisy.setSoTimeout(20_000);
            assertThat(readAll(noisy)).as("an answer, then the end").isLessThanOrEqualTo(16);
            CompletableFuture<Mesh> first = join(0, group, PATIENCE_NS);
            join(1, group, PATIENCE_NS).get(120, TimeUnit.SECONDS).close();
            first.get(120, TimeUnit.SECONDS).close();
        }
    }

    private static int readAll(Socket socket) {
        int count = 0;
        try {
            while (socket.getInputStream().read() >= 0) {
                count++;
            }
        } catch (IOException reset) {
            // A closed door with unread noise behind it resets the connection.
        }
        return count;
    }

    @Test
    void shouldSayWhoDidNotCome() {
        listen("secret");
        listen("secret");
        Fault fault = faultOf(join(0, group(1), PATIENCE_NS / 20));
        assertThat(fault.who()).isEqualTo("worker-11");
        assertThat(fault.message()).contains("did not join epoch 1");
    }

    @Test
    void shouldTellItsPeerAtOnceWhenItCloses() throws Exception {
        listen("secret");
        listen("secret");
        Group group = group(1);
        CompletableFuture<Mesh> joining = join(1, group, PATIENCE_NS);
        Mesh first = join(0, group, PATIENCE_NS).get(120, TimeUnit.SECONDS);
        Mesh second = joining.get(120, TimeUnit.SECONDS);
        first.close();
        try (LinkPoll poll = new LinkPoll()) {
            Link link = second.link(0, Lane.DATA);
            poll.want(link, Interest.READ);
            poll.await(PATIENCE_NS, ready -> {});
            assertThat(link.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThatThrownBy(() -> first.link(1, Lane.DATA).read(ByteBuffer.allocate(1)))
                .isInstanceOf(FaultSignal.class);
        second.close();
    }

    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final transient Fault fault;

        Refused(Fault fault) {
            super(fault.message());
            this.fault = fault;
        }
    }
}
