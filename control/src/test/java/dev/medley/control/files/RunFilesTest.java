package dev.medley.control.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.KeptState;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.files.FilesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a run keeps of what workers bring, over a real socket. */
@Tag("unit")
@Timeout(600)
class RunFilesTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final JoinSecret WORKER = JoinSecret.ofRun("secret");
    private static final JoinSecret AGENT = JoinSecret.ofCluster("token");
    private static final KeptState OF = new KeptState(1, 10, null);

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> others = new LinkedBlockingQueue<>();

    @TempDir private Path run;
    private ControlServer server;

    @BeforeEach
    void listen() {
        RunFiles files = new RunFiles(run, kept -> {});
        server =
                ControlServer.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        null,
                        List.of(WORKER, AGENT),
                        files.before(telling(others)));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void shouldKeepAFolderThatIsBroughtWhole(@TempDir Path model) throws Exception {
        Files.write(model.resolve("weights"), new byte[3_000_000]);
        Files.createFile(model.resolve("empty"));
        try (FilesClient files = client()) {
            files.bring("model", model, OF);
            assertThat(files.kept("model")).isEqualTo(OF);
            assertThat(files.kept("checkpoints/step-000000001")).isNull();
        }
        assertThat(run.resolve("model/weights")).hasSize(3_000_000);
        assertThat(run.resolve("model/empty")).isEmptyFile();
    }

    /** What was sent ahead is answered, too: that is not of what is brought next. */
    @Test
    void shouldKeepWhatIsBroughtAfterARefusal(@TempDir Path model) throws Exception {
        Files.write(model.resolve("weights"), new byte[3_000_000]);
        try (FilesClient files = client()) {
            assertThatThrownBy(() -> files.bring("elsewhere", model, OF))
                    .hasMessageContaining("keeps nothing by the name of elsewhere");
            files.bring("model", model, OF);
            assertThat(files.kept("model")).isEqualTo(OF);
        }
        assertThat(run.resolve("model/weights")).hasSize(3_000_000);
    }

    /** A worker that is in no group any more goes on bringing what it has begun to. */
    @Test
    void shouldNotPutAnOlderModelInPlaceOfALaterOne(@TempDir Path model) throws Exception {
        Path kept = run.resolve("model/weights");
        try (FilesClient old = client();
                FilesClient keeper = client()) {
            Files.writeString(model.resolve("weights"), "later");
            keeper.bring("model", model, new KeptState(2, 200, 0.9));
            Files.writeString(model.resolve("weights"), "older");
            old.bring("model", model, new KeptState(1, 100, 0.8));
            assertThat(kept).hasContent("later");
            old.bring("model", model, new KeptState(1, 300, 0.8)); // Void for the group after it.
            assertThat(kept).hasContent("later");
            assertThat(old.kept("model")).isEqualTo(new KeptState(2, 200, 0.9));
            Files.writeString(model.resolve("weights"), "taken again");
            keeper.bring("model", model, new KeptState(3, 150, 0.9));
            assertThat(kept).hasContent("taken again");
        }
        try (FilesClient old = client()) {
            Files.delete(kept);
            Files.delete(run.resolve("model"));
            old.bring("model", model, new KeptState(1, 100, 0.8));
            assertThat(kept).as("better than none").exists();
        }
    }

    @Test
    void shouldNotKnowOfWhatStateAFolderIsThatWasThereBefore() throws Exception {
        Files.createDirectory(run.resolve("model"));
        try (FilesClient files = client()) {
            assertThat(files.kept("model")).isEqualTo(KeptState.UNKNOWN);
        }
    }

    /** As a coordinator leaves it that was killed. */
    @Test
    void shouldRemoveWhatCameInPartToAnEarlierProcess() throws Exception {
        Path part = Files.createDirectories(run.resolve(".incoming/3/model")).resolve("weights");
        Files.write(part, new byte[9]);
        RunFiles unused = new RunFiles(run, kept -> {});
        assertThat(run).isEmptyDirectory();
    }

    @Test
    void shouldRefuseWhatIsAnnouncedAndFitsOnNoDisk() throws Exception {
        try (ControlConnection worker = connect(WORKER)) {
            worker.send(new Message.Bring("model", "huge", 1L << 60, 0, new byte[1]));
            assertThat(next()).startsWith("Refused").contains("huge has ", "of room is left");
        }
    }

    @Test
    void shouldRefuseWhatDoesNotGoOnWhereItEnded() throws Exception {
        try (ControlConnection worker = connect(WORKER)) {
            worker.send(new Message.Bring("model", "a", 1L << 40, 1L << 39, new byte[1]));
            assertThat(next()).contains("a does not go on at byte 549755813888");
            worker.send(new Message.Bring("model", "b", 9, 0, new byte[4]));
            assertThat(next()).startsWith("Received");
            worker.send(new Message.Bring("model", "b", 9, 5, new byte[4]));
            assertThat(next()).contains("b does not go on at byte 5");
            worker.send(new Message.Bring("../model", "b", 9, 0, new byte[4]));
            assertThat(next()).contains("keeps nothing by the name of ../model");
        }
        assertThat(others.poll(30, TimeUnit.SECONDS)).startsWith("closed");
        try (Stream<Path> left = Files.walk(run)) {
            assertThat(left.filter(Files::isRegularFile)).as("nothing was kept whole").isEmpty();
        }
    }

    @Test
    void shouldHearOfNobodyWhoDoesNotKnowTheRunsSecret() throws Exception {
        try (ControlConnection agent = connect(AGENT)) {
            agent.send(new Message.AskKept("model"));
            assertThat(next()).startsWith("closed");
        }
    }

    private FilesClient client() throws IOException {
        return FilesClient.open(
                handler ->
                        ControlConnection.connect(server.address(), PATIENCE_NS, WORKER, handler));
    }

    private ControlConnection connect(JoinSecret pass) throws IOException {
        return ControlConnection.connect(server.address(), PATIENCE_NS, pass, telling(heard));
    }

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(30, TimeUnit.SECONDS));
    }

    private static ControlConnection.Handler telling(BlockingQueue<String> words) {
        return new ControlConnection.Handler() {
            @Override
            public void received(ControlConnection from, Message message) {
                words.add(message.toString());
            }

            @Override
            public void closed(ControlConnection connection, String why) {
                words.add("closed: " + why);
            }
        };
    }
}
