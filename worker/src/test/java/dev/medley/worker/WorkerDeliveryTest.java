package dev.medley.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.data.shard.OriginGoneException;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.files.FilesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker's way to the coordinator for what it keeps, where the link is not always there. */
@Tag("unit")
@Timeout(600)
class WorkerDeliveryTest {
    private static final JoinSecret PASS = JoinSecret.ofRun("secret");
    private static final Path FROM = Path.of("here");
    private static final Path TO = Path.of("there");

    private final List<Long> waits = new ArrayList<>();
    private int tried;

    @Test
    void aConnectionThatIsResetShouldBeOpenedAnew() throws Exception {
        try (ControlServer server = ControlServer.onLoopback(PASS, new Deaf());
                Delivery delivery =
                        Delivery.reaching(() -> atThirdTry(server), FROM, TO, waits::add)) {
            assertThat(delivery.isNone()).isFalse();
        }
        assertThat(waits).containsExactly(1L, 5L);
    }

    /** It is no fault of the job, which would end the run for all. */
    @Test
    void aCoordinatorThatIsNotReachedShouldBeAMatterOfThisMachine() {
        assertThatThrownBy(() -> Delivery.reaching(this::never, FROM, TO, waits::add))
                .isInstanceOf(OriginGoneException.class)
                .hasMessage(
                        "the coordinator is not reached for what this worker keeps: connection"
                                + " reset");
        assertThat(waits).containsExactly(1L, 5L, 20L);
    }

    private FilesClient never() throws IOException {
        throw new IOException("connection reset");
    }

    private FilesClient atThirdTry(ControlServer server) throws IOException {
        if (++tried < 3) {
            throw new IOException("connection reset");
        }
        return FilesClient.open(
                handler ->
                        ControlConnection.connect(
                                server.address(), TimeUnit.SECONDS.toNanos(10), PASS, handler));
    }

    private static final class Deaf implements ControlConnection.Handler {
        @Override
        public void received(ControlConnection from, Message message) {}

        @Override
        public void closed(ControlConnection connection, String why) {}
    }
}
