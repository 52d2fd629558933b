package dev.medley.net.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.net.certs.TestClusters.Who;
import dev.medley.net.link.LinkSecurity.Scope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which links of a mesh speak TLS, and who is let in, over real sockets. */
@Tag("unit")
@Timeout(600)
class SecuredMeshTest {
    private static final Clock CLOCK = Clock.system();
    private static final long PATIENCE_NS = 10_000_000_000L;

    private final List<LinkListener> listeners = new ArrayList<>();
    private final List<String> sites = new ArrayList<>();

    @AfterEach
    void close() {
        listeners.forEach(LinkListener::close);
    }

    private LinkListener listen(String site, Scope scope, Who who) {
        LinkSecurity security =
                scope == Scope.NONE
                        ? LinkSecurity.NONE
                        : new LinkSecurity(scope, who.credentials());
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        LinkListener listener = LinkListener.open(any, "secret", security, CLOCK);
        listeners.add(listener);
        sites.add(site);
        return listener;
    }

    private Group group() {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < listeners.size(); i++) {
            int port = listeners.get(i).port();
            members.add(new Member(new WorkerId(i), "h", sites.get(i), "127.0.0.1", port, ""));
        }
        return new Group(1, members);
    }

    /** What became of a member's attempt: its mesh, or its fault. */
    private record Attempt(Mesh mesh, Fault fault) {}

    private List<Attempt> joinAll(long patienceNs) throws Exception {
        Group group = group();
        List<CompletableFuture<Attempt>> all = new ArrayList<>();
        for (int i = 0; i < listeners.size(); i++) {
            int rank = i;
            all.add(
                    CompletableFuture.supplyAsync(
                            () -> join(group, rank, patienceNs),
                            command -> new Thread(command).start()));
        }
        List<Attempt> attempts = new ArrayList<>();
        for (CompletableFuture<Attempt> each : all) {
            attempts.add(each.get(120, TimeUnit.SECONDS));
        }
        return attempts;
    }

    private Attempt join(Group group, int rank, long patienceNs) {
        try {
            long deadlineNs = CLOCK.nowNs() + patienceNs;
            return new Attempt(
                    Mesh.join(listeners.get(rank), group, rank, CLOCK, deadlineNs, () -> false),
                    null);
        } catch (FaultSignal signal) {
            return new Attempt(null, signal.fault());
        }
    }

    /**
     * Joins with more and more patience until a member complains as it should: those that wait for
     * each other have only their deadline, and a busy machine may need longer than a quiet one.
     */
    private List<Attempt> requireComplaint(Runnable listening, int of, String... words)
            throws Exception {
        for (long patienceNs = PATIENCE_NS / 10; ; patienceNs *= 5) {
            close();
            listeners.clear();
            sites.clear();
            listening.run();
            List<Attempt> attempts = joinAll(patienceNs);
            String message = attempts.get(of).fault().message();
            if (patienceNs > PATIENCE_NS || Stream.of(words).allMatch(message::contains)) {
                assertThat(message).contains(words);
                return attempts;
            }
        }
    }

    @Test
    void shouldSecureLinksBetweenSitesAndLeaveThoseInsidePlain() throws Exception {
        listen("east", Scope.BETWEEN_SITES, Who.ONE);
        listen("west", Scope.BETWEEN_SITES, Who.OTHER);
        listen("east", Scope.BETWEEN_SITES, Who.ONE);
        List<Attempt> all = joinAll(PATIENCE_NS);
        for (int from = 0; from < 3; from++) {
            Mesh mesh = all.get(from).mesh();
            for (int to = 0; to < 3; to++) {
                for (Lane lane : List.of(Lane.CONTROL, Lane.DATA, Lane.SUMS)) {
                    if (from != to) {
                        boolean isBetween = !sites.get(from).equals(sites.get(to));
                        Link out = mesh.link(to, lane);
                        assertThat(out.isSecured()).isEqualTo(isBetween);
                        byte[] word = {(byte) from, (byte) to};
                        byte[] heard = new byte[2];
                        SecuredLinkTest.send(out, word, 2);
                        SecuredLinkTest.receive(all.get(to).mesh().link(from, lane), heard, 2);
                        assertThat(heard).isEqualTo(word);
                    }
                }
            }
        }
        all.forEach(attempt -> attempt.mesh().close());
    }

    @Test
    void shouldSecureAllLinksWhereThatIsAskedFor() throws Exception {
        listen(Member.NO_SITE, Scope.ALL, Who.ONE);
        listen(Member.NO_SITE, Scope.ALL, Who.OTHER);
        for (Attempt attempt : joinAll(PATIENCE_NS)) {
            assertThat(attempt.mesh().all()).allMatch(Link::isSecured);
            attempt.mesh().close();
        }
    }

    @Test
    void shouldRefuseAStranger() throws Exception {
        requireComplaint(
                () -> {
                    listen("east", Scope.ALL, Who.ONE);
                    listen("west", Scope.ALL, Who.STRANGER);
                },
                1,
                "worker-0 was refused",
                "one, is of another cluster's authority");
    }

    @Test
    void shouldTellACallerThatItsCertificateWasRefused() throws Exception {
        requireComplaint(
                () -> {
                    listen("east", Scope.ALL, Who.ONE);
                    listen("west", Scope.ALL, Who.OUT_OF_DATE);
                },
                1,
                "worker-0 refused this machine's certificate",
                "out of date");
    }

    @Test
    void shouldTellWhoDialsInPlainTextThatTlsIsExpected() throws Exception {
        requireComplaint(
                () -> {
                    listen("east", Scope.ALL, Who.ONE);
                    listen("west", Scope.NONE, Who.OTHER);
                },
                1,
                "worker-0 refused a link in plain text where TLS is expected");
    }

    @Test
    void shouldTellWhoDialsOverTlsThatPlainTextIsExpected() throws Exception {
        requireComplaint(
                () -> {
                    listen("east", Scope.NONE, Who.ONE);
                    listen("west", Scope.ALL, Who.OTHER);
                },
                1,
                "worker-0 speaks no TLS, and this side does");
    }

    @Test
    void shouldRefuseAPlainCallerFromAnotherSite() throws Exception {
        List<Attempt> all =
                requireComplaint(
                        () -> {
                            listen("east", Scope.BETWEEN_SITES, Who.ONE);
                            listen("west", Scope.NONE, Who.OTHER);
                        },
                        1,
                        "worker-0 refused a link in plain text where TLS is expected");
        assertThat(all.get(0).fault().message())
                .contains("worker-1 dialled in plain text where TLS is expected");
    }

    @Test
    void shouldTakeAHelloOnceAndNoneThatWasChanged() throws Exception {
        LinkListener listener = listen("", Scope.NONE, Who.ONE);
        RunKey key = new RunKey("secret");
        byte[] hello = new Hello(3, 2, 1, 0, Lane.DATA).encode(key).array();
        try (Socket first = say(listener, hello)) {
            assertThat(listener.take(new Hello(3, 2, 1, 0, Lane.DATA), deadline(), () -> false))
                    .isNotNull();
            try (Socket again = say(listener, hello)) {
                assertThat(verdict(again)).isEqualTo(Welcome.Verdict.NOT_OF_THIS_RUN);
            }
            hello[Hello.FRAME_BYTES - RunKey.SIGNATURE_BYTES - 1] ^= 1;
            try (Socket changed = say(listener, hello)) {
                assertThat(verdict(changed)).isEqualTo(Welcome.Verdict.NOT_OF_THIS_RUN);
            }
            assertThat(first.isConnected()).isTrue();
        }
    }

    private static long deadline() {
        return CLOCK.nowNs() + PATIENCE_NS;
    }

    private static Socket say(LinkListener listener, byte[] hello) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(hello);
        return socket;
    }

    private static Welcome.Verdict verdict(Socket socket) throws IOException {
        byte[] frame = socket.getInputStream().readNBytes(Welcome.FRAME_BYTES);
        return Welcome.decode(ByteBuffer.wrap(frame)).verdict();
    }

    @Test
    void shouldServeOthersWhileSomeStartTlsAndFallSilent() throws Exception {
        LinkListener door = listen("east", Scope.ALL, Who.ONE);
        listen("west", Scope.ALL, Who.OTHER);
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            silent.add(say(door, new byte[] {0x16, 3, 1, 1}));
        }
        joinAll(PATIENCE_NS).forEach(attempt -> attempt.mesh().close());
        for (Socket each : silent) {
            each.close();
        }
    }
}
