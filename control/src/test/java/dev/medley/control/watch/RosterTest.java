package dev.medley.control.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.WorkerId;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.PauseKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A roster of real connections. */
@Tag("unit")
@Timeout(600)
class RosterTest {
    private static final JoinSecret PASS = JoinSecret.ofRun("secret");
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);

    private final Roster roster = new Roster();
    private final Heard ofOne = new Heard();
    private final Heard ofTwo = new Heard();
    private final List<ControlConnection> open = new ArrayList<>();
    private ControlServer server;
    private ControlConnection one;
    private ControlConnection two;

    /** What reached the other side of a worker's connection. */
    private static final class Heard implements ControlConnection.Handler {
        final BlockingQueue<String> words = new LinkedBlockingQueue<>();

        @Override
        public void received(ControlConnection from, Message message) {
            words.add(message.toString());
        }

        @Override
        public void closed(ControlConnection connection, String why) {
            words.add("closed");
        }

        String next() throws InterruptedException {
            return words.poll(30, TimeUnit.SECONDS);
        }
    }

    /** The coordinator's side: a worker's first words tell which connection is whose. */
    private static final class Accepting implements ControlConnection.Handler {
        final BlockingQueue<ControlConnection> accepted = new LinkedBlockingQueue<>();

        @Override
        public void received(ControlConnection from, Message message) {
            accepted.add(from);
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    @BeforeEach
    void connect() throws Exception {
        Accepting accepting = new Accepting();
        server = ControlServer.onLoopback(PASS, accepting);
        one = accepted(accepting, ofOne);
        two = accepted(accepting, ofTwo);
        roster.joined(TWO, two, 20);
        roster.joined(ONE, one, 10);
    }

    @AfterEach
    void close() throws IOException {
        open.forEach(ControlConnection::close);
        server.close();
    }

    @Test
    void shouldKnowWhoIsWhoByConnectionAndByLaunch() {
        assertThat(roster.worker(one)).isEqualTo(ONE);
        assertThat(roster.worker(two)).isEqualTo(TWO);
        assertThat(roster.worker(open.get(0))).as("a stranger").isNull();
        assertThat(roster.worker(10)).isEqualTo(ONE);
        assertThat(roster.worker(30)).isNull();
        assertThat(roster.workers()).as("in order of ids").containsExactly(ONE, TWO);
        assertThat(roster.connections()).containsExactly(one, two);
        assertThat(roster.size()).isEqualTo(2);
    }

    @Test
    void shouldHangUpOnTheLostAndNameTheirLaunchOnce() throws Exception {
        assertThat(roster.lost(ONE)).contains(10);
        assertThat(roster.lost(ONE)).isEmpty();
        assertThat(ofOne.next()).isEqualTo("closed");
        assertThat(roster.workers()).containsExactly(TWO);
        assertThat(roster.worker(one)).isNull();
        assertThat(ofTwo.words).isEmpty();
    }

    @Test
    void shouldForgetWhoHungUp() {
        roster.hungUp(open.get(0));
        assertThat(roster.size()).as("a stranger").isEqualTo(2);
        roster.hungUp(two);
        assertThat(roster.worker(20)).isNull();
        assertThat(roster.isEmpty()).isFalse();
        roster.hungUp(one);
        assertThat(roster.isEmpty()).isTrue();
    }

    @Test
    void shouldSendToThoseNamedWhoAreThere() throws Exception {
        roster.send(List.of(TWO, new WorkerId(3)), new Message.Beat(0));
        roster.send(roster.workers(), new Message.Pause(1, PauseKind.REFORM, "a wish"));
        assertThat(ofOne.next())
                .isEqualTo(new Message.Pause(1, PauseKind.REFORM, "a wish").toString());
        assertThat(ofTwo.next()).isEqualTo(new Message.Beat(0).toString());
        assertThat(ofTwo.next())
                .isEqualTo(new Message.Pause(1, PauseKind.REFORM, "a wish").toString());
    }

    private ControlConnection accepted(Accepting accepting, Heard heard) throws Exception {
        ControlConnection worker =
                ControlConnection.connect(
                        server.address(), TimeUnit.SECONDS.toNanos(10), PASS, heard);
        open.add(worker);
        worker.send(new Message.Alive(0));
        return accepting.accepted.poll(30, TimeUnit.SECONDS);
    }
}
