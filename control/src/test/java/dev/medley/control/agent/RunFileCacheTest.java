package dev.medley.control.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.control.files.RunFiles;
import dev.medley.control.files.Shipment;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.files.FilesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a machine fetches of a run whose checkpoints it does not see, over a real socket. */
@Tag("unit")
@Timeout(600)
class RunFileCacheTest {
    private static final JoinSecret PASS = JoinSecret.ofRun("secret");

    @TempDir Path theirs;
    @TempDir Path here;

    private final List<String> said = new ArrayList<>();
    private RunFiles files;
    private Path run;

    @BeforeEach
    void begin() {
        files = new RunFiles(theirs, kept -> {});
        run = here.resolve("runs/run-1");
    }

    /** Nothing is sent to that machine beyond what has to be. */
    @Test
    void aCheckpointShouldComeWhateverItsSizeAndLieInTheRunAlone() throws Exception {
        fetch(1);
        assertThat(kept()).containsExactly("step-000000001");
        assertThat(run.resolve("checkpoints/step-000000001/manifest.json")).hasContent("state 1");
        assertThat(here.resolve("files")).doesNotExist();
        assertThat(said).containsExactly("fetching step-000000001 (7 B)");
        fetch(1);
        assertThat(said).as("it is there").hasSize(1);
    }

    @Test
    void thoseOfEarlierStartsShouldNotGatherOnAMachine() throws Exception {
        Files.createDirectories(run.resolve("checkpoints/step-000000099")); // Its own.
        for (int step = 1; step <= 4; step++) {
            fetch(step);
        }
        assertThat(kept()).containsExactly("step-000000004", "step-000000099");
    }

    private void fetch(int step) throws Exception {
        Path folder = theirs.resolve("checkpoints/step-%09d".formatted(step));
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("manifest.json"), "state " + step);
        Shipment checkpoint = Shipment.ofContent(folder);
        files.give(checkpoint);
        LaunchOrder work = new LaunchOrder("run-1", SomeJob.ofBatch(8), List.of(), checkpoint, 0);
        RunFileCache fetched = new RunFileCache(here.resolve("files"), true, said::add);
        try (ControlServer server = ControlServer.onLoopback(PASS, files.before(nobody()));
                FilesClient coordinator = client(server)) {
            fetched.checkpoint(work, run, coordinator);
        }
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> steps = Files.list(run.resolve("checkpoints"))) {
            return steps.map(step -> step.getFileName().toString()).sorted().toList();
        }
    }

    private static FilesClient client(ControlServer server) throws IOException {
        return FilesClient.open(
                handler ->
                        ControlConnection.connect(
                                server.address(), TimeUnit.SECONDS.toNanos(10), PASS, handler));
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
