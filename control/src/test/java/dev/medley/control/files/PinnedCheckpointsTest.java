package dev.medley.control.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.time.Clock;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.KeptState;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.files.FilesClient;
import dev.medley.store.checkpoint.CheckpointState;
import dev.medley.store.checkpoint.CheckpointStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Of a run that keeps one checkpoint, over a real socket. */
@Tag("unit")
@Timeout(600)
class PinnedCheckpointsTest {
    private static final JoinSecret WORKER = JoinSecret.ofRun("secret");
    private static final String SHARD = "shard-0.safetensors";
    private static final int BYTES = 3 << 20;

    @TempDir Path run;
    @TempDir Path worker;

    private PinnedCheckpoints pinned;
    private RunFiles files;

    @BeforeEach
    void begin() {
        write(run.resolve("checkpoints"), 1);
        pinned = new PinnedCheckpoints(run.resolve("checkpoints"), 1);
        files = new RunFiles(run, pinned::kept);
        for (long step = 2; step <= 4; step++) {
            write(worker.resolve("checkpoints"), step);
        }
    }

    @Test
    void whatIsFetchedShouldStayUntilItIsThereThoughNewerOnesCome() throws Exception {
        Shipment first = pinned.pin(7);
        files.give(first);
        String shard = RunFiles.name(first, SHARD);
        try (ControlServer server = ControlServer.onLoopback(WORKER, files.before(nobody()));
                FilesClient newcomer = client(server);
                FilesClient keeper = client(server)) {
            newcomer.read(shard, 0, BYTES / 2);
            bring(keeper, 2);
            bring(keeper, 3);
            assertThat(newcomer.read(shard, BYTES / 2, BYTES / 2)).hasSize(BYTES / 2);
            assertThat(kept()).containsExactly("step-000000001", "step-000000003");
            pinned.release(7);
            bring(keeper, 4);
        }
        assertThat(kept()).containsExactly("step-000000004");
        assertThat(pinned.pin(8).root()).endsWith("step-000000004");
    }

    /** Who starts a worker has others to look after. */
    @Test
    void whatAStartNeedsShouldBeKnownWithoutTheDisk() throws Exception {
        Path shard = run.resolve("checkpoints/step-000000001").resolve(SHARD);
        Files.move(shard, worker.resolve("elsewhere"));
        assertThat(pinned.pin(7).file(SHARD)).isEqualTo(shard.toAbsolutePath().normalize());
    }

    @Test
    void anOlderOneThatComesLateShouldNotTakeThePlaceOfANewer() throws Exception {
        try (ControlServer server = ControlServer.onLoopback(WORKER, files.before(nobody()));
                FilesClient keeper = client(server);
                FilesClient late = client(server)) {
            bring(keeper, 3);
            bring(late, 2);
        }
        assertThat(pinned.pin(7).root()).endsWith("step-000000003");
        assertThat(kept()).containsExactly("step-000000003");
    }

    /** As a run may leave it whose disk failed. */
    @Test
    void aRunThatIsGoneOnWithShouldGiveTheLastThatIsWhole() throws Exception {
        write(run.resolve("checkpoints"), 4);
        Files.write(run.resolve("checkpoints/step-000000004").resolve(SHARD), new byte[9]);
        PinnedCheckpoints resumed = new PinnedCheckpoints(run.resolve("checkpoints"), 1);
        assertThat(resumed.pin(7).root()).endsWith("step-000000001");
        write(run.resolve("checkpoints"), 2);
        resumed.kept(run.resolve("checkpoints/step-000000002"));
        assertThat(resumed.pin(8).root()).endsWith("step-000000002");
        assertThat(kept()).containsExactly("step-000000001", "step-000000002", "step-000000004");
    }

    @Test
    void aRunThatBeginsShouldHaveNone(@TempDir Path fresh) {
        assertThat(new PinnedCheckpoints(fresh.resolve("checkpoints"), 1).pin(1)).isNull();
    }

    private void bring(FilesClient keeper, long step) throws IOException {
        String name = "checkpoints/step-%09d".formatted(step);
        keeper.bring(name, worker.resolve(name), new KeptState(1, step, null));
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> steps = Files.list(run.resolve("checkpoints"))) {
            return steps.map(step -> step.getFileName().toString()).sorted().toList();
        }
    }

    private static void write(Path folder, long step) {
        NamedSpan weights =
                new NamedSpan("w", ElementType.UINT8, new long[] {BYTES}, Span.allocate(BYTES));
        try (CheckpointStore store = new CheckpointStore(folder, 9, Clock.system())) {
            store.offer(new CheckpointState(step, 1, 1, List.of(weights), Json.tree(Map.of())));
            store.finish(TimeUnit.SECONDS.toNanos(30));
        }
    }

    private static FilesClient client(ControlServer server) throws IOException {
        return FilesClient.open(
                handler ->
                        ControlConnection.connect(
                                server.address(), TimeUnit.SECONDS.toNanos(10), WORKER, handler));
    }

    private static ControlConnection.Handler nobody() {
        return new ControlConnection.Handler() {
            @Override
            public void received(ControlConnection from, Message message) {}

            @Override
            public void closed(ControlConnection connection, String why) {}
        };
    }
}
