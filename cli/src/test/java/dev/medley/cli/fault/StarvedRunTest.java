package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
import dev.medley.base.ConfigException;
import dev.medley.base.OwnFolder;
import dev.medley.record.entry.RunState;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.LatestCheckpoint;
import dev.medley.store.file.AtomicFolder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that get too little: disk, memory, natives. */
@Tag("real")
@Timeout(240)
class StarvedRunTest {
    @TempDir Path folder;

    @Test
    void trainingShouldGoOnWhileTheDiskIsFull() throws Exception {
        FaultJob.writeEndless(folder, "workers: 1");
        Path disk = Files.createDirectory(folder.resolve("disk"));
        try (SmallDisk small = SmallDisk.mount(disk);
                MedleyProcess medley = start(disk)) {
            medley.await("a checkpoint", () -> newestStep(medley) > 0);
            small.fill();
            long seen = evaluations(medley);
            medley.await("five more evaluations", () -> evaluations(medley) >= seen + 5);
            medley.await("no space", () -> isStillFullAndSaid(small, medley));
            LatestCheckpoint latest = CheckpointStore.latest(medley.run().checkpoints());
            assertThat(latest.passedOver()).isEmpty();
            long before = latest.found().orElseThrow().step();
            small.free();
            medley.await("a new checkpoint", () -> newestStep(medley) > before);
            medley.interrupt();
            RunRecord record = RunRecord.read(medley.run());
            assertThat(record.summary().state()).isEqualTo(RunState.INTERRUPTED);
            assertThat(record.unreadableLines()).isZero();
        }
    }

    @Test
    void aModelThatCannotBeKeptShouldWaitForRoom() throws Exception {
        FaultJob.write(folder, 60, "workers: 1");
        Path disk = Files.createDirectory(folder.resolve("disk"));
        try (SmallDisk small = SmallDisk.mount(disk);
                MedleyProcess medley = start(disk)) {
            awaitInMemoryAlone(small, medley);
            assertThat(medley.run().model()).doesNotExist();
            small.free();
            assertExplained(medley, 0).contains("no space left on the device", "make room there");
            assertThat(medley.run().model()).isDirectoryContaining("glob:**model.json");
            assertThat(RunRecord.read(medley.run()).summary().state()).isEqualTo(RunState.DONE);
        }
    }

    @Test
    void aModelThatNobodyWaitsForShouldBeKeptInTheTemporaryFolder() throws Exception {
        FaultJob.write(folder, 60, "workers: 1");
        Path disk = Files.createDirectory(folder.resolve("disk"));
        try (SmallDisk small = SmallDisk.mount(disk);
                MedleyProcess medley = start(disk)) {
            awaitInMemoryAlone(small, medley);
            MedleyProcess.signal("INT", medley.handle());
            assertExplained(medley, 0);
            Path kept = OwnFolder.ofThisUser("medley-rescue");
            Path own = kept.resolve(medley.run().name());
            try {
                assertThat(medley.said()).contains("and is kept in " + own);
                assertThat(own.resolve("model")).isDirectoryContaining("glob:**model.json");
            } finally {
                AtomicFolder.delete(own);
            }
        }
    }

    @Test
    void aModelThatHasNoRoomShouldGoWhereTheUserNamed() throws Exception {
        FaultJob.write(folder, 60, "workers: 1");
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Path rescue = Files.createDirectory(folder.resolve("rescue"));
        try (SmallDisk small = SmallDisk.mount(disk);
                MedleyProcess medley = start(disk, "--rescue", rescue.toString())) {
            medley.await("a run", () -> medley.said().contains("Run: "));
            small.fill();
            Path own = rescue.resolve(medley.run().name());
            assertExplained(medley, 0).contains("and is kept in " + own);
            assertThat(own.resolve("model")).isDirectoryContaining("glob:**model.json");
        }
    }

    private static void awaitInMemoryAlone(SmallDisk small, MedleyProcess medley) throws Exception {
        medley.await("a run", () -> medley.said().contains("Run: "));
        small.fill();
        medley.await(
                "the end of training", () -> medley.said().contains("model is in memory alone"));
    }

    @Test
    void aWorkerWithoutMemoryShouldSaySoAndWhatToDo() throws Exception {
        FaultJob.write(folder, 10, "workers: 2");
        try (MedleyProcess medley =
                MedleyProcess.start(
                        folder, "train", "job.yaml", "-s", "model.hidden=[1000000, 1000000]")) {
            assertExplained(medley, 1)
                    .containsPattern("Failed: worker-[12] ran out of memory")
                    .contains("train.accumulate");
        }
    }

    /** In a group of its own with less memory than the worker needs: the kernel kills it. */
    @Test
    void aWorkerThatTheKernelKilledShouldBeNamed() throws Exception {
        FaultJob.write(folder, 10, "workers: 1");
        try (ControlGroup group = ControlGroup.ofMiB(800);
                MedleyProcess medley =
                        MedleyProcess.start(
                                folder,
                                System.getProperty("java.class.path"),
                                group.command(),
                                "train",
                                "job.yaml",
                                "-s",
                                "model.hidden=[8192, 8192]")) {
            assertExplained(medley, 1)
                    .contains("Failed: the kernel killed worker-1 because memory ran out")
                    .contains("train.accumulate");
        }
    }

    /**
     * The model has room, the activations of the whole batch have not: smaller parts are taken, by
     * the next run from the beginning. Where shares follow speed the batch is tried before the
     * first step already.
     */
    @ParameterizedTest
    @ValueSource(strings = {"none", "speed"})
    void aBatchTooLargeForTheMemoryShouldBeTakenInParts(String balance) throws Exception {
        // As many activations as of wide layers, with less to compute.
        List<Integer> narrow = Collections.nCopies(16, 128);
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 40_000; i++) {
            rows.append("%d,%d,%d%n".formatted(i % 97, i % 89, i % 97 < 40 ? 1 : 0));
        }
        Files.writeString(folder.resolve("t.csv"), rows);
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                data: {train: t.csv, label: y, split: 0.1}
                model: {family: mlp, hidden: %s}
                train: {steps: 3, batch: 32768}
                cluster: {workers: 1, threads: 1, restarts: 0}
                strategy: {balance: %s}
                """
                        .formatted(narrow, balance));
        try (ControlGroup group = ControlGroup.ofMiB(900)) {
            try (MedleyProcess medley = trainIn(group)) {
                assertExplained(medley, 0)
                        .contains("the kernel killed worker-1 because memory ran out")
                        .contains("in micro-batches of at most", "since memory ran out");
                assertThat(RunRecord.read(medley.run()).summary().steps()).isEqualTo(3);
            }
            try (MedleyProcess again = trainIn(group)) {
                assertExplained(again, 0)
                        .doesNotContain("the kernel killed")
                        .contains("in micro-batches of at most", "ran out in an earlier run");
            }
        }
    }

    private MedleyProcess trainIn(ControlGroup group) throws IOException {
        String classPath = System.getProperty("java.class.path");
        return MedleyProcess.start(folder, classPath, group.command(), "train", "job.yaml");
    }

    @Test
    void aPlatformWithoutLibTorchShouldBeRefusedBeforeTheStart() throws Exception {
        FaultJob.write(folder, 10, "workers: 1");
        String withoutNatives =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> !entry.matches(".*pytorch-.*-.*-[a-z]+-\\w+\\.jar"))
                        .collect(Collectors.joining(File.pathSeparator));
        assumeTrue(
                withoutNatives.length() < System.getProperty("java.class.path").length(),
                "skipped: the natives are not a jar of their own on this class path");
        try (MedleyProcess medley =
                MedleyProcess.start(folder, withoutNatives, List.of(), "train", "job.yaml")) {
            assertExplained(medley, 2)
                    .containsOnlyOnce("LibTorch's native library for this platform")
                    .contains("is missing or does not load");
        }
    }

    /** A checkpoint written just before the disk was full frees its predecessor's room after it. */
    private static boolean isStillFullAndSaid(SmallDisk disk, MedleyProcess medley) {
        disk.fill();
        return medley.said().contains("no space left on the device");
    }

    private MedleyProcess start(Path disk, String... more) throws IOException {
        String runs = disk.resolve("runs").toString();
        List<String> arguments = new ArrayList<>(List.of("train", "job.yaml", "--run-dir", runs));
        arguments.addAll(List.of(more));
        return MedleyProcess.start(folder, arguments.toArray(String[]::new)).runsIn(runs);
    }

    /** It ends with that status and says why, with no stack trace and no talk of a bug. */
    private static AbstractStringAssert<?> assertExplained(MedleyProcess medley, int exitCode)
            throws InterruptedException {
        assertThat(medley.exitCode()).as(medley.said()).isEqualTo(exitCode);
        return assertThat(medley.said()).doesNotContain("bug", "\tat ");
    }

    private static long evaluations(MedleyProcess medley) {
        return medley.said().lines().filter(line -> line.contains("validation  ")).count();
    }

    private static long newestStep(MedleyProcess medley) {
        try {
            Path checkpoints = medley.run().checkpoints();
            return CheckpointStore.latest(checkpoints).found().map(Checkpoint::step).orElse(0L);
        } catch (ConfigException e) {
            return 0; // there is no run yet
        }
    }
}
