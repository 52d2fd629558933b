package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import dev.medley.exchange.route.LinkRates;
import dev.medley.exchange.route.RoundTrips;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Lane;
import dev.medley.net.link.Link;
import dev.medley.net.link.LinkListener;
import dev.medley.net.link.Mesh;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A member that is joined as it should be and then says what nobody can: a fault of that member,
 * and no bug of the one that hears it.
 */
@Tag("real")
@Timeout(600)
class MalformedWordsTest {
    private static final Clock CLOCK = Clock.system();
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int MOST_BODY_BYTES = 1024;
    private static final long LETTER = 0x6C65747465723031L;

    private final LinkListener[] doors = {door(), door()};
    private final Group group = new Group(1, List.of(member(0), member(1)));
    private Mesh honest;
    private Mesh wild;

    @BeforeEach
    void join() {
        CompletableFuture<Mesh> one = CompletableFuture.supplyAsync(() -> joined(0));
        wild = joined(1);
        honest = one.join();
    }

    @AfterEach
    void close() {
        honest.close();
        wild.close();
        for (LinkListener door : doors) {
            door.close();
        }
    }

    /** Kinds by number: 1 waits for a rank, 3 votes, 6 tells of a fault. */
    @ParameterizedTest
    @CsvSource({
        "99, 0, 0, 0",
        "-1, 0, 0, 0",
        "1, 7, 0, 0",
        "1, -1, 0, 0",
        "6, 7, 0, 0",
        "6, 0, 99, 0",
        "3, 0, 0, -1",
        "3, 0, 0, -2147483648",
        "3, 0, 0, 2147483647",
        "3, 0, 0, 20000"
    })
    void aNoteThatIsNoneShouldBeAFaultOfWhoSentIt(int kind, int rank, int value, int length)
            throws FaultSignal {
        ByteBuffer note = ByteBuffer.allocate(16).putInt(kind).putInt(rank).putInt(value);
        say(Lane.CONTROL, note.putInt(length).flip());
        try (Peers peers = new Peers(group, 0, honest, CLOCK, PATIENCE_NS, peer -> true)) {
            peers.expect(1);
            Fault fault = slept(peers);
            assertThat(fault.kind()).isEqualTo(Fault.Kind.PEER);
            assertThat(fault.who()).isEqualTo("worker-1");
            assertThat(fault.message()).contains("no note of this group");
        }
    }

    private static Fault slept(Peers peers) {
        while (true) {
            try {
                peers.sleep();
            } catch (FaultSignal signal) {
                return signal.fault();
            }
        }
    }

    @Test
    void aLetterThatIsTooLongShouldBeAFaultOfWhoSentIt() throws FaultSignal {
        say(Lane.POST, letter(1L << 40));
        Fault fault = heard((from, letter) -> {});
        assertThat(fault.message()).contains("none has more than " + MOST_BODY_BYTES);
    }

    @Test
    void aLetterThatCannotBeTakenInShouldBeAFaultOfWhoSentIt() throws FaultSignal {
        say(Lane.POST, letter(0));
        Fault fault =
                heard(
                        (from, letter) -> {
                            throw new IndexOutOfBoundsException("letter " + letter.kind());
                        });
        assertThat(fault.message()).contains("cannot be taken in").contains("letter 7");
    }

    /** What ends a wait for letters. */
    private Fault heard(Post.Handler handler) {
        try (Post post = new Post(0, 2, List.of(honest.link(1, Lane.POST)), CLOCK, PATIENCE_NS)) {
            post.begin(
                    (peer, silence, broken) ->
                            broken != null
                                    ? broken
                                    : new Fault(Fault.Kind.PEER, "worker-" + peer, silence));
            post.open(MOST_BODY_BYTES, handler);
            Fault fault = post.await(() -> false, () -> 1);
            assertThat(fault).isNotNull();
            assertThat(fault.kind()).isEqualTo(Fault.Kind.PEER);
            assertThat(fault.who()).isEqualTo("worker-1");
            return fault;
        }
    }

    @Test
    void figuresOfWaysShouldBeSomeThatCanHaveBeenMeasured() {
        assertThat(RoundTrips.isSound(RoundTrips.say(new long[] {0, Long.MAX_VALUE}), 2)).isTrue();
        for (String row : List.of("", "0", "0 1 2", "0 x", "0 -1", "0 99999999999999999999")) {
            assertThat(RoundTrips.isSound(row, 2)).as(row).isFalse();
        }
        assertThat(LinkRates.isSound("", 2)).isTrue();
        assertThat(LinkRates.isSound("0=125000000 1=1", 2)).isTrue();
        for (String row :
                List.of("2=5", "-1=5", "0", "0=", "0=-5", "0=1e9", " ", "99999999999=1")) {
            assertThat(LinkRates.isSound(row, 2)).as(row).isFalse();
        }
    }

    // ---- A member that says anything

    private void say(Lane lane, ByteBuffer bytes) throws FaultSignal {
        Link link = wild.link(0, lane);
        while (bytes.hasRemaining()) {
            int unused = link.write(bytes);
        }
    }

    /** The head of a letter, as {@link Letter} writes it. */
    private static ByteBuffer letter(long bodyBytes) {
        ByteBuffer head = ByteBuffer.allocate(64).order(ByteOrder.nativeOrder());
        head.putLong(LETTER).putLong(7).putLong(1).putLong(1);
        return head.putDouble(0).putDouble(0).putDouble(0).putLong(bodyBytes).flip();
    }

    private static LinkListener door() {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return LinkListener.open(any, "secret", CLOCK);
    }

    private Member member(int rank) {
        return new Member(
                new WorkerId(rank), "host", Member.NO_SITE, "127.0.0.1", doors[rank].port(), "");
    }

    private Mesh joined(int rank) {
        List<Lane> lanes = Lane.withPost(Lane.of(group));
        long deadlineNs = CLOCK.awakeNs() + PATIENCE_NS;
        try {
            return Mesh.join(
                    doors[rank], group, rank, peer -> lanes, CLOCK, deadlineNs, () -> false);
        } catch (FaultSignal signal) {
            throw new CompletionException(signal);
        }
    }
}
