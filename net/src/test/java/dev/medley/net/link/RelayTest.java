package dev.medley.net.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.base.route.RelayChoice;
import dev.medley.base.time.Clock;
import dev.medley.net.certs.TestClusters.Who;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two members who dial only, and one who joins them, over real sockets. */
@Tag("real")
@Timeout(600)
class RelayTest {
    private static final Clock CLOCK = Clock.system();
    private static final long PATIENCE_NS = 10_000_000_000L;
    private static final int RELAY = 1;

    private final List<LinkListener> listeners = new ArrayList<>();
    private final List<String> sites = new ArrayList<>();

    @AfterEach
    void close() {
        listeners.forEach(LinkListener::close);
    }

    private void listen(String site, LinkSecurity security, String token) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listeners.add(LinkListener.open(any, token, security, CLOCK));
        sites.add(site);
    }

    /** Ranks 0 and 2 are behind NAT. */
    private void listenAll(String shape) {
        for (String site : shape.split("")) {
            listen(site, LinkSecurity.NONE, "secret");
        }
    }

    private Group group(int epoch) {
        List<Member> members = new ArrayList<>();
        for (int rank = 0; rank < listeners.size(); rank++) {
            String address = rank == RELAY ? "127.0.0.1" : Member.NOT_DIALLED;
            int port = rank == RELAY ? listeners.get(rank).port() : 0;
            members.add(
                    new Member(new WorkerId(rank), "h" + rank, sites.get(rank), address, port, ""));
        }
        return new Group(epoch, members);
    }

    private Joining joining(int rank, Group group, long patienceNs) {
        return new Joining(
                listeners.get(rank),
                group,
                RelayChoice.of(group),
                rank,
                CLOCK,
                CLOCK.nowNs() + patienceNs,
                () -> false);
    }

    private Link relayed(int rank, Group group, long patienceNs) throws FaultSignal {
        Joining joining = joining(rank, group, patienceNs);
        Detour detour = Detour.begin(joining, 2 - rank, RELAY, Lane.DATA);
        try {
            return detour.complete();
        } catch (FaultSignal signal) {
            detour.close();
            throw signal;
        }
    }

    private CompletableFuture<Link> joined(int rank, Group group, long patienceNs) {
        return start(() -> relayed(rank, group, patienceNs));
    }

    private static <T> CompletableFuture<T> start(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return work.call();
                            } catch (Exception e) {
                                throw new CompletionException(e);
                            }
                        },
                        command -> new Thread(command).start())
                .orTimeout(60, TimeUnit.SECONDS);
    }

    private static byte[] noise(int bytes, long seed) {
        byte[] noise = new byte[bytes];
        Seeds.generator(seed).nextBytes(noise);
        return noise;
    }

    private static byte[] receive(Link link, int bytes) throws FaultSignal {
        byte[] heard = new byte[bytes];
        SecuredLinkTest.receive(link, heard, 40_000);
        return heard;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 70_000, 32 << 20})
    void shouldHandOnAllThatIsSaidBothWaysAtOnce(int bytes) throws Exception {
        listenAll("aaa");
        CompletableFuture<Link> other = joined(2, group(1), PATIENCE_NS);
        try (Link one = joined(0, group(1), PATIENCE_NS).join();
                Link two = other.join()) {
            byte[] there = noise(bytes, 1);
            byte[] back = noise(bytes, 2);
            CompletableFuture<byte[]> heardTwo = start(() -> receive(two, bytes));
            CompletableFuture<byte[]> heardOne = start(() -> receive(one, bytes));
            CompletableFuture<Boolean> said =
                    start(
                            () -> {
                                SecuredLinkTest.send(two, back, 1 << 20);
                                return true;
                            });
            SecuredLinkTest.send(one, there, 1 << 20);
            assertThat(said.join()).isTrue();
            assertThat(heardTwo.join()).isEqualTo(there);
            assertThat(heardOne.join()).isEqualTo(back);
        }
    }

    @Test
    void shouldDeliverAllThatWasSaidBeforeTheEnd() throws Exception {
        listenAll("aaa");
        CompletableFuture<Link> other = joined(2, group(1), PATIENCE_NS);
        Link one = joined(0, group(1), PATIENCE_NS).join();
        try (Link two = other.join()) {
            byte[] last = noise(200_000, 3);
            SecuredLinkTest.send(one, last, 1 << 16);
            one.close();
            assertThat(receive(two, last.length)).isEqualTo(last);
            assertThatThrownBy(() -> receive(two, 1)).hasMessageContaining("the end after 0");
        }
    }

    /** The relay has no certificate of the cluster, so what passes it can be no secret of its. */
    @Test
    void shouldSecureALinkFromEndToEnd() throws Exception {
        listen("a", LinkSecurity.all(Who.ONE.credentials()), "secret");
        listen("a", LinkSecurity.NONE, "secret");
        listen("a", LinkSecurity.all(Who.OTHER.credentials()), "secret");
        CompletableFuture<Link> other = joined(2, group(1), PATIENCE_NS);
        try (Link one = joined(0, group(1), PATIENCE_NS).join();
                Link two = other.join()) {
            assertThat(one.isSecured()).isTrue();
            byte[] said = noise(100_000, 4);
            SecuredLinkTest.send(one, said, 1 << 16);
            assertThat(receive(two, said.length)).isEqualTo(said);
        }
    }

    /** A relay joins callers where all links are secured, though they call it in plain text. */
    @Test
    void shouldBeCalledInPlainTextWhereAllLinksAreSecured() throws Exception {
        for (Who who : List.of(Who.ONE, Who.OTHER, Who.ONE)) {
            listen("a", LinkSecurity.all(who.credentials()), "secret");
        }
        CompletableFuture<Link> other = joined(2, group(1), PATIENCE_NS);
        joined(0, group(1), PATIENCE_NS).join().close();
        other.join().close();
    }

    @Test
    void shouldSecureALinkInsideASiteThatLeavesItForItsRelay() throws Exception {
        listen("a", LinkSecurity.betweenSites(Who.ONE.credentials()), "secret");
        listen("b", LinkSecurity.betweenSites(Who.ONE.credentials()), "secret");
        listen("a", LinkSecurity.betweenSites(Who.OTHER.credentials()), "secret");
        CompletableFuture<Link> other = joined(2, group(1), PATIENCE_NS);
        try (Link one = joined(0, group(1), PATIENCE_NS).join()) {
            assertThat(one.isSecured()).isTrue();
        }
        other.join().close();
    }

    @Test
    void shouldRefuseAStrangerAndAnEpochThatIsOver() {
        listen("a", LinkSecurity.NONE, "guess");
        listen("a", LinkSecurity.NONE, "secret");
        listen("a", LinkSecurity.NONE, "secret");
        assertThatThrownBy(() -> relayed(0, group(1), PATIENCE_NS))
                .hasMessageContaining("worker-1 refused: it belongs to another run");
        listeners.get(RELAY).retireBelow(3);
        assertThatThrownBy(() -> relayed(2, group(2), PATIENCE_NS))
                .hasMessageContaining("worker-1 refused epoch 2: it lives in epoch 3");
    }

    @Test
    void shouldLetGoOfThoseWhoseEpochIsOver() throws Exception {
        listenAll("aaa");
        CompletableFuture<Link> other = joined(2, group(1), PATIENCE_NS);
        try (Link one = joined(0, group(1), PATIENCE_NS).join();
                Link two = other.join()) {
            listeners.get(RELAY).retireBelow(2);
            assertThat(isEnded(one)).isTrue();
            assertThat(isEnded(two)).isTrue();
        }
    }

    @Test
    void shouldEndBothEndsWhenTheRelayLeaves() throws Exception {
        listenAll("aaa");
        CompletableFuture<Link> other = joined(2, group(1), PATIENCE_NS);
        try (Link one = joined(0, group(1), PATIENCE_NS).join();
                Link two = other.join()) {
            listeners.get(RELAY).close();
            assertThat(isEnded(one)).isTrue();
            assertThat(isEnded(two)).isTrue();
        }
    }

    @Test
    void shouldNameThePeerThatDoesNotCome() {
        listenAll("aaa");
        assertThatThrownBy(() -> relayed(0, group(1), PATIENCE_NS / 10))
                .hasMessage("worker-2 did not join epoch 1 in time (through worker-1)");
    }

    private static boolean isEnded(Link link) {
        try {
            receive(link, 1);
            return false;
        } catch (IllegalStateException | FaultSignal ended) {
            return true;
        }
    }
}
