package dev.medley.net.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Sha256;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.KeptState;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a coordinator that takes longer over a folder or a file than a worker waits for a word. */
@Tag("unit")
@Timeout(600)
class FilesClientTest {
    private static final JoinSecret PASS = JoinSecret.ofRun("secret");
    private static final KeptState OF = new KeptState(2, 10, null);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    @TempDir Path folder;

    private final List<String> heard = new CopyOnWriteArrayList<>();

    @BeforeEach
    void fill() throws IOException {
        Files.writeString(folder.resolve("weights"), "w");
    }

    /** Says nothing of what it is at until it was looked after twice. */
    private class Busy implements ControlConnection.Handler {
        private volatile ControlConnection waiting;
        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public void received(ControlConnection from, Message message) {
            heard.add(message.getClass().getSimpleName());
            if (message instanceof Message.Bring) {
                from.send(new Message.Received());
            } else if (message instanceof Message.Fetch) {
                from.send(new Message.Piece(new byte[] {'w'}));
            } else if (message instanceof Message.AskKept) {
                boolean isFirst = looks.getAndIncrement() == 0;
                from.send(isFirst ? new Message.Refused("not kept") : lookedAfter(waiting));
            } else {
                waiting = from;
            }
        }

        /** What is answered the second time. */
        Message lookedAfter(ControlConnection first) {
            return new Message.Kept(OF);
        }

        ControlConnection waiting() {
            return waiting;
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    @Test
    void whatIsKeptLateShouldNotBeBroughtAgain() throws Exception {
        try (ControlServer server = ControlServer.onLoopback(PASS, new Busy());
                FilesClient files = client(server)) {
            files.bring("model", folder, OF);
            assertThat(heard).containsExactly("Bring", "Keep", "AskKept", "AskKept");
            assertThat(files.kept("model")).as("over the new connection").isEqualTo(OF);
        }
    }

    @Test
    void whatIsLeftOutForALaterStateShouldNotBeWaitedFor() throws Exception {
        Busy ahead =
                new Busy() {
                    @Override
                    Message lookedAfter(ControlConnection first) {
                        return new Message.Kept(new KeptState(3, 9, null));
                    }
                };
        try (ControlServer server = ControlServer.onLoopback(PASS, ahead);
                FilesClient files = client(server)) {
            files.bring("model", folder, OF);
        }
    }

    /** As where the disk turns out to be full. */
    @Test
    void whatIsRefusedLateShouldBeSaid() throws Exception {
        Busy full =
                new Busy() {
                    @Override
                    Message lookedAfter(ControlConnection first) {
                        first.send(new Message.Refused("no room"));
                        return new Message.Kept(new KeptState(1, 9, null));
                    }
                };
        try (ControlServer server = ControlServer.onLoopback(PASS, full);
                FilesClient files = client(server)) {
            assertThatThrownBy(() -> files.bring("model", folder, OF))
                    .isInstanceOf(IOException.class)
                    .hasMessage("model: no room");
        }
    }

    @Test
    void aDigestThatTakesLongShouldBeWaitedFor() throws Exception {
        Busy reading =
                new Busy() {
                    @Override
                    public void closed(ControlConnection connection, String why) {
                        if (connection != waiting()) {
                            waiting().send(new Message.Digest(Sha256.hex("w")));
                        }
                    }
                };
        Path into = folder.resolve("into");
        try (ControlServer server = ControlServer.onLoopback(PASS, reading);
                FilesClient files = client(server)) {
            files.fetch("data/weights", 1, into, come -> {});
        }
        assertThat(into).hasContent("w");
    }

    @Test
    void whoIsGoneShouldNotBeWaitedFor() throws Exception {
        ControlServer server = ControlServer.onLoopback(PASS, new Busy());
        try (FilesClient files = client(server)) {
            server.close();
            assertThatThrownBy(() -> files.bring("model", folder, OF))
                    .isInstanceOf(IOException.class);
        }
    }

    private static FilesClient client(ControlServer server) throws IOException {
        return FilesClient.open(
                handler ->
                        ControlConnection.connect(
                                server.address(), TimeUnit.SECONDS.toNanos(10), PASS, handler),
                LOOK_NS);
    }
}
