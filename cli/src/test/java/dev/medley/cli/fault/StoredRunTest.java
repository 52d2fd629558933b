package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.job.StoreUrl;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.S3Server;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data come from an object store, and a run is kept in one and goes on elsewhere. */
@Tag("real")
@Timeout(480)
class StoredRunTest {
    private static final int ROWS = 1_024;
    private static final int EPOCHS = 8;
    private static final int BATCH = 16;
    private static final String DATA = "s3://bucket/data/people.csv";

    private static S3Server server;
    private static Map<String, String> environment;

    @TempDir Path folder;

    @BeforeAll
    static void begin() throws Exception {
        server = S3Server.start();
        environment = server.environment();
        RandomGenerator random = Seeds.generator(3);
        StringBuilder table = new StringBuilder("a,b,y\n");
        for (int i = 0; i < ROWS; i++) {
            double a = random.nextGaussian();
            double b = random.nextGaussian();
            table.append(a).append(',').append(b).append(',');
            table.append(a + b > 0 ? "yes" : "no").append('\n');
        }
        try (ObjectStore store = store()) {
            store.write("data/people.csv", table.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    @AfterAll
    static void end() throws Exception {
        server.close();
    }

    @Test
    void shouldGoOnOnAnotherMachineFromWhatTheStoreHas() throws Exception {
        Path here = Files.createDirectory(folder.resolve("here"));
        String name;
        String[] command = {
            "train",
            DATA,
            "--label",
            "y",
            "--workers",
            "1",
            "-s",
            "train.batch=" + BATCH,
            "-s",
            "train.epochs=" + EPOCHS,
            "-s",
            "checkpoint.every_steps=25",
            "-s",
            "data.split=0",
            "-s",
            "checkpoint.store=s3://bucket/runs"
        };
        try (MedleyProcess medley = MedleyProcess.startWith(environment, here, command)) {
            medley.await("kept", () -> names("runs").stream().anyMatch(StoredRunTest::isWhole));
            name = medley.run().name();
            medley.killAll();
        }
        Path there = Files.createDirectory(folder.resolve("there"));
        String url = "s3://bucket/runs/" + name;
        try (MedleyProcess medley =
                MedleyProcess.startWith(environment, there, "train", "--resume", url)) {
            assertThat(medley.exitCode()).as(medley.said()).isZero();
            RunRecord record = RunRecord.read(medley.run());
            assertThat(medley.run().name()).isEqualTo(name);
            assertThat(record.summary().state()).isEqualTo(RunStatus.DONE);
            // What was taken again since the store's checkpoint counts each time.
            assertThat(record.summary().samples() - BATCH * record.summary().repeatedSteps())
                    .isEqualTo((long) ROWS * EPOCHS);
            assertThat(record.events())
                    .extracting(RunEvent::message)
                    .as("from a checkpoint of the store, and not from the beginning")
                    .anyMatch(message -> message.matches("resumed after step [1-9][\\d,]* .*"));
        }
        RunFolder kept = RunFolder.at(there.resolve("runs").resolve(name));
        assertSame(kept.path(), name);
        assertThat(CheckpointStore.latest(kept.checkpoints()).passedOver()).isEmpty();
        try (MedleyProcess medley =
                MedleyProcess.startWith(environment, there, "evaluate", "latest", DATA)) {
            assertThat(medley.exitCode()).as(medley.said()).isZero();
            assertThat(medley.said()).contains("accuracy");
        }
        try (MedleyProcess medley =
                MedleyProcess.startWith(environment, there, "train", "--resume", url)) {
            assertThat(medley.exitCode()).isEqualTo(2);
            assertThat(medley.said()).contains("is here already");
        }
    }

    @Test
    void aStoreThatCannotBeWrittenShouldBeSaidBeforeAnythingBegins() throws Exception {
        try (MedleyProcess medley =
                MedleyProcess.startWith(
                        environment,
                        folder,
                        "train",
                        DATA,
                        "--label",
                        "y",
                        "-s",
                        "checkpoint.store=s3://nobodys/runs")) {
            assertThat(medley.exitCode()).isEqualTo(2);
            assertThat(medley.said()).contains("checkpoint.store: s3://nobodys/runs/.writable: No");
            assertThat(folder.resolve("runs")).doesNotExist();
        }
    }

    private static boolean isWhole(String object) {
        return object.endsWith("/manifest.json");
    }

    /** What lies in the store is what lies in the folder, byte for byte. */
    private static void assertSame(Path run, String name) throws IOException {
        try (ObjectStore store = store()) {
            List<String> kept = names("runs/" + name);
            assertThat(kept).anyMatch(StoredRunTest::isWhole).anyMatch(n -> n.contains("/model/"));
            for (String object : kept) {
                String below = object.substring(("runs/" + name + "/").length());
                if (!below.startsWith(".")) {
                    assertThat(run.resolve(below)).hasBinaryContent(store.read(object));
                }
            }
        }
    }

    private static List<String> names(String below) {
        try (ObjectStore store = store()) {
            return store.list(below).stream().map(StoredObject::name).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectStore store() {
        return ObjectStore.open(StoreUrl.of("test", "s3://bucket"), environment::get);
    }
}
