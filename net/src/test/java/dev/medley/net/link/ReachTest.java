package dev.medley.net.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whether a member answers where it says that it listens. */
@Tag("real")
class ReachTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private static LinkListener listener(String token) {
        return LinkListener.open(
                new InetSocketAddress("127.0.0.1", 0), token, LinkSecurity.NONE, Clock.system());
    }

    private static String reach(LinkListener from, int port, long timeoutNs) {
        Group group = new Group(1, List.of(member(1, from.port()), member(2, port)));
        return Reach.check(from, group, 0, 1, Clock.system(), timeoutNs);
    }

    private static Member member(int id, int port) {
        return new Member(new WorkerId(id), "host", Member.NO_SITE, "127.0.0.1", port, "kernels");
    }

    /** Also while no group has formed there yet. */
    @Test
    void shouldReachAMemberOfTheSameRun() {
        try (LinkListener here = listener("token");
                LinkListener there = listener("token")) {
            assertThat(reach(here, there.port(), 10 * SECOND_NS)).isEmpty();
        }
    }

    @Test
    void shouldSayWhyNotWhereNobodyListens() {
        LinkListener gone = listener("token");
        int port = gone.port();
        gone.close();
        try (LinkListener here = listener("token")) {
            assertThat(reach(here, port, 10 * SECOND_NS))
                    .contains("cannot reach worker-2 at 127.0.0.1:" + port, "refused");
        }
    }

    @Test
    void shouldSayThatAnotherRunAnswers() {
        try (LinkListener here = listener("token");
                LinkListener there = listener("another")) {
            assertThat(reach(here, there.port(), 10 * SECOND_NS)).contains("another run");
        }
    }

    /** A port that takes connections and says nothing. */
    @Test
    void shouldNotWaitLongerThanItMay() throws Exception {
        try (LinkListener here = listener("token");
                java.net.ServerSocket silent =
                        new java.net.ServerSocket(
                                0, 5, java.net.InetAddress.getLoopbackAddress())) {
            assertThat(reach(here, silent.getLocalPort(), SECOND_NS / 5))
                    .isEqualTo(
                            "no answer from worker-2 at 127.0.0.1:%d within 0.2 s"
                                    .formatted(silent.getLocalPort()));
        }
    }
}
