package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
import dev.medley.api.world.SmallDisk;
import dev.medley.record.folder.RunRecord;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Processes that get too little: disk, memory, natives. */
@Tag("real")
@Timeout(240)
class StarvedRunTest {
    @TempDir Path folder;

    @Test
    void aModelThatHasNoRoomShouldGoWhereTheUserNamed() throws Exception {
        FaultJob.write(folder, 60, "workers: 1");
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Path rescue = Files.createDirectory(folder.resolve("rescue"));
        try (SmallDisk small = SmallDisk.mount(disk);
                MedleyProcess medley =
                        MedleyProcess.start(
                                folder,
                                "train",
                                "job.yaml",
                                "--run-dir",
                                disk.resolve("runs").toString(),
                                "--rescue",
                                rescue.toString())) {
            medley.runsIn(disk.resolve("runs").toString());
            medley.await("a run", () -> medley.said().contains("Run: "));
            small.fill();
            Path own = rescue.resolve(medley.run().name());
            assertExplained(medley, 0).contains("and is kept in " + own);
            assertThat(own.resolve("model")).isDirectoryContaining("glob:**model.json");
        }
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
        List<Integer> narrow = Collections.nCopies(16, 64);
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 80_000; i++) {
            rows.append("%d,%d,%d%n".formatted(i % 97, i % 89, i % 97 < 40 ? 1 : 0));
        }
        Files.writeString(folder.resolve("t.csv"), rows);
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                data: {train: t.csv, label: y, split: 0.1}
                model: {family: mlp, hidden: %s}
                train: {steps: 2, batch: 65536}
                cluster: {workers: 1, threads: 1, restarts: 0}
                strategy: {balance: %s}
                """
                        .formatted(narrow, balance));
        try (ControlGroup group = ControlGroup.ofMiB(900)) {
            try (MedleyProcess medley = trainIn(group)) {
                assertExplained(medley, 0)
                        .contains("the kernel killed worker-1 because memory ran out")
                        .contains("in micro-batches of at most", "since memory ran out");
                assertThat(RunRecord.read(medley.run()).summary().steps()).isEqualTo(2);
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

    /** It ends with that status and says why, with no stack trace and no talk of a bug. */
    private static AbstractStringAssert<?> assertExplained(MedleyProcess medley, int exitCode)
            throws InterruptedException {
        assertThat(medley.exitCode()).as(medley.said()).isEqualTo(exitCode);
        return assertThat(medley.said()).doesNotContain("bug", "\tat ");
    }
}
