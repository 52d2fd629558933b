package dev.medley.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.WorkerSettings;
import dev.medley.base.time.Clock;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where a worker listens that may use some ports only, some of which are taken. */
@Tag("unit")
class ListeningTest {
    private static final int MORE = 50;

    @Test
    void aTakenPortShouldBePassedOver() throws Exception {
        try (ServerSocket taken = listening();
                ExchangeEndpoint endpoint = open(taken.getLocalPort(), MORE)) {
            assertThat(endpoint.dataPort())
                    .isBetween(taken.getLocalPort() + 1, taken.getLocalPort() + MORE);
        }
    }

    @Test
    void shouldSayWhichPortIsTakenWhereNoneIsFree() throws Exception {
        try (ServerSocket taken = listening()) {
            assertThatThrownBy(() -> open(taken.getLocalPort(), 0).close())
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(String.valueOf(taken.getLocalPort()));
        }
    }

    /** On a port that leaves room above it. */
    private static ServerSocket listening() throws Exception {
        while (true) {
            ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            if (any.getLocalPort() + MORE <= 65_535) {
                return any;
            }
            any.close();
        }
    }

    private static ExchangeEndpoint open(int first, int more) {
        String here = "127.0.0.1";
        WorkerSettings place =
                new WorkerSettings("", here, here, first, first + more, null, Map.of(), null, true);
        return Listening.at(place, ExchangeOptions.of("a run"), Clock.system());
    }
}
