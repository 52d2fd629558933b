package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.OwnFolder;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.LatestCheckpoint;
import dev.medley.store.file.AtomicFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose disk is full for a while. */
@Tag("real")
@Timeout(240)
class FullDiskTest {
    @TempDir Path folder;
    private Path disk;

    @BeforeEach
    void makeAPlaceForTheDisk() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
    }

    @Test
    void trainingShouldGoOnWhileTheDiskIsFull() throws Exception {
        FaultJob.writeEndless(folder, "workers: 1");
        try (SmallDisk small = SmallDisk.mount(disk);
                World world = new World(folder, disk.resolve("runs"))) {
            RunThread run = world.train();
            run.awaitStep(1);
            run.await("a checkpoint", () -> newestStep(run) > 0);
            small.fill();
            int seen = run.evaluations();
            run.await("five more evaluations", () -> run.evaluations() >= seen + 5);
            run.await("no space", () -> isStillFullAndSaid(small, run));
            LatestCheckpoint latest = CheckpointStore.latest(run.folder().checkpoints());
            assertThat(latest.passedOver()).isEmpty();
            long before = latest.found().orElseThrow().step();
            small.free();
            run.await("a new checkpoint", () -> newestStep(run) > before);
            RunRecord record = run.interrupted();
            assertThat(record.summary().state()).isEqualTo(RunStatus.INTERRUPTED);
            assertThat(record.unreadableLines()).isZero();
        }
    }

    @Test
    void aModelThatCannotBeKeptShouldWaitForRoom() throws Exception {
        FaultJob.write(folder, 60, "workers: 1");
        try (SmallDisk small = SmallDisk.mount(disk);
                World world = new World(folder, disk.resolve("runs"))) {
            RunThread run = world.whenARunBegins(small::fill).train();
            run.await("the end of training", () -> isInMemoryAlone(run));
            assertThat(run.folder().model()).doesNotExist();
            small.free();
            RunRecord record = run.completed();
            assertThat(run.said()).contains("no space left on the device", "make room there");
            assertThat(record.folder().model()).isDirectoryContaining("glob:**model.json");
            assertThat(record.summary().state()).isEqualTo(RunStatus.DONE);
        }
    }

    @Test
    void aModelThatNobodyWaitsForShouldBeKeptInTheTemporaryFolder() throws Exception {
        FaultJob.write(folder, 60, "workers: 1");
        try (SmallDisk small = SmallDisk.mount(disk);
                World world = new World(folder, disk.resolve("runs"))) {
            RunThread run = world.whenARunBegins(small::fill).train();
            run.await("the end of training", () -> isInMemoryAlone(run));
            run.interrupt();
            RunRecord record = run.completed();
            Path kept = OwnFolder.ofThisUser("medley-rescue");
            Path own = kept.resolve(record.folder().name());
            try {
                assertThat(run.said()).contains("and is kept in " + own);
                assertThat(own.resolve("model")).isDirectoryContaining("glob:**model.json");
            } finally {
                AtomicFolder.delete(own);
            }
        }
    }

    private static boolean isInMemoryAlone(RunThread run) {
        return run.said().contains("model is in memory alone");
    }

    /** A checkpoint written just before the disk was full frees its predecessor's room after it. */
    private static boolean isStillFullAndSaid(SmallDisk disk, RunThread run) {
        disk.fill();
        return run.said().contains("no space left on the device");
    }

    private static long newestStep(RunThread run) {
        Path checkpoints = run.folder().checkpoints();
        return CheckpointStore.latest(checkpoints).found().map(Checkpoint::step).orElse(0L);
    }
}
