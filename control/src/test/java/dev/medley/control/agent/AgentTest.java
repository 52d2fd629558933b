package dev.medley.control.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Clock;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.control.agent.AgentOptions.PortRange;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.DismissalKind;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent and somebody at the other end who is no coordinator for it, over real sockets. */
@Tag("real")
@Timeout(60)
class AgentTest {
    private static final Clock CLOCK = Clock.system();

    private final List<String> said = new CopyOnWriteArrayList<>();

    /** Hangs up on whoever offers a machine, until it says why that is no use. */
    private static final class Unfriendly implements ControlConnection.Handler {
        private final int hangUps;
        private final List<Long> offeredNs = new CopyOnWriteArrayList<>();

        Unfriendly(int hangUps) {
            this.hangUps = hangUps;
        }

        @Override
        public void received(ControlConnection from, Message message) {
            if (!(message instanceof Message.Offer)) {
                return;
            }
            offeredNs.add(CLOCK.nowNs());
            if (offeredNs.size() > hangUps) {
                from.send(new Message.Dismissed(DismissalKind.REFUSED, "it is another build"));
                from.closeOnceSent(TimeUnit.SECONDS.toNanos(5));
            } else {
                from.close();
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    @Test
    void shouldWaitLongerEachTimeBeforeItOffersItselfAgainAndSayOnceWhy() throws Exception {
        Unfriendly other = new Unfriendly(2);
        try (ControlServer server = ControlServer.onLoopback(other)) {
            assertThatThrownBy(agent(server.address())::run)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("refuses this machine: it is another build");
        }
        assertThat(other.offeredNs).hasSize(3);
        assertThat(other.offeredNs.get(1) - other.offeredNs.get(0))
                .isGreaterThanOrEqualTo(Backoff.LEAST_NS);
        assertThat(other.offeredNs.get(2) - other.offeredNs.get(1))
                .isGreaterThanOrEqualTo(2 * Backoff.LEAST_NS);
        assertThat(said)
                .singleElement()
                .asString()
                .contains("hung up without a word", "a coordinator of Medley " + Version.build());
    }

    @Test
    void shouldNotWaitForeverLonger() {
        Backoff backoff = new Backoff();
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.failed()).isBetween(Backoff.LEAST_NS, Backoff.MOST_NS);
        }
        assertThat(backoff.failed()).isEqualTo(Backoff.MOST_NS);
        backoff.succeeded();
        assertThat(backoff.failed()).isEqualTo(Backoff.LEAST_NS);
    }

    private Agent agent(InetSocketAddress coordinator) {
        AgentOptions options =
                new AgentOptions(
                        coordinator,
                        null,
                        "",
                        "n1",
                        "",
                        null,
                        null,
                        PortRange.ANY,
                        Path.of("nowhere"),
                        false,
                        false);
        return new Agent(
                options,
                null,
                () -> Json.tree(Map.of()),
                job -> {
                    throw new AssertionError("nobody asks for a worker");
                },
                said::add,
                CLOCK);
    }
}
