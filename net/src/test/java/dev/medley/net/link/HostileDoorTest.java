package dev.medley.net.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.net.certs.TestClusters.Who;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever callers say at the door of a worker, with the run's secret or without: the next who
 * means well gets in. {@code -Dmedley.seeds=N} for N times 60 greetings.
 */
@Tag("property")
@Tag("simulation")
class HostileDoorTest {
    private static final int CALLS = 30 * Integer.getInteger("medley.seeds", 15);
    private static final long SEED = Long.getLong("medley.seed", 30);
    private static final int EPOCH = 1_000_000;
    private static final int SIGNED_BYTES = Hello.FRAME_BYTES - RunKey.SIGNATURE_BYTES;
    private static final String TOKEN = "token";

    private final RunKey key = new RunKey(TOKEN);

    static Stream<LinkSecurity> securities() {
        return Stream.of(LinkSecurity.NONE, LinkSecurity.betweenSites(Who.ONE.credentials()));
    }

    @ParameterizedTest
    @MethodSource("securities")
    @Timeout(3600)
    void theDoorShouldStayOpen(LinkSecurity security) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ByteBuffer before = new Hello(1, 2, 0, 1, Lane.DATA).encode(key);
        try (LinkListener door = LinkListener.open(any, TOKEN, security, Clock.system())) {
            for (long call = 0; call < CALLS; call++) {
                before = say(door, words(Seeds.generator(SEED, call), before));
            }
            Hello honest = new Hello(EPOCH, 2, 0, 1, Lane.DATA);
            try (Socket caller = new Socket(any.getAddress(), door.port())) {
                caller.getOutputStream().write(honest.encode(key).array());
                long deadlineNs = Clock.system().nowNs() + 30_000_000_000L;
                Caller taken = door.take(honest, deadlineNs, () -> false);
                assertThat(taken).isNotNull();
                taken.close();
            }
        }
    }

    private static ByteBuffer say(LinkListener door, ByteBuffer words) throws IOException {
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), door.port())) {
            caller.getOutputStream().write(words.array());
        } catch (java.net.SocketException hungUp) {
            // As it deserves.
        }
        return words;
    }

    /** A greeting that is spoilt before it is signed, or after, or not; or one that was heard. */
    private ByteBuffer words(RandomGenerator random, ByteBuffer before) {
        int way = random.nextInt(8);
        if (way == 0) {
            return before;
        }
        Lane lane = new Lane(Lane.Use.values()[random.nextInt(Lane.Use.values().length)], 0);
        Hello hello =
                new Hello(random.nextInt(-1, 9), random.nextInt(4), random.nextInt(-1, 4), 1, lane);
        ByteBuffer words = way == 1 ? hello.encodeToRelay(key) : hello.encode(key);
        byte[] bytes = words.array();
        int place = random.nextInt(way < 5 ? SIGNED_BYTES : bytes.length);
        if (way > 2) {
            bytes[place] = (byte) random.nextInt();
        }
        if (way == 3 || way == 4) {
            byte[] signature = key.sign(words.slice(0, SIGNED_BYTES));
            System.arraycopy(signature, 0, bytes, SIGNED_BYTES, signature.length);
        } else if (way == 5) {
            bytes[0] = 0x16; // As TLS begins.
        } else if (way == 6) {
            return ByteBuffer.wrap(Arrays.copyOf(bytes, place));
        }
        return words;
    }
}
