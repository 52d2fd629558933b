package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.FaultJob;
import dev.medley.api.world.World;
import dev.medley.base.Seeds;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.checkpoint.CheckpointStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The coordinator and all its workers are killed with SIGKILL again and again, and the run goes on
 * each time: it ends with the bits of a run on threads that nothing happened to. A seed that ever
 * failed stays in the list.
 */
@Tag("real")
@Timeout(480)
class KilledRunTest {
    private static final int STEPS = 350;
    private static final int MOST_TRIES = 5;

    @TempDir static Path shared;
    private static Map<Long, String> hashes = Map.of();
    private static byte[] weights = {};

    @BeforeAll
    static void runWithoutTrouble() throws Exception {
        Path folder = write("whole");
        try (World world = new World(folder)) {
            RunRecord record = world.train().completed();
            FaultJob.assertNothingLostOrRepeated(record, STEPS);
            hashes = FaultJob.hashes(record);
            weights = weights(record.folder());
        }
        assertThat(hashes).hasSizeGreaterThanOrEqualTo(4).containsKey((long) STEPS);
    }

    @ParameterizedTest
    @ValueSource(longs = 2)
    void shouldEndWithTheSameBitsHoweverOftenItIsKilled(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        Path folder = write("seed-" + seed);
        RunFolder run = killAtAStep(folder, 1 + random.nextInt(STEPS / 4));
        killInMidWrite(run, random);
        if (seed % 2 == 0) {
            killAfterTheLastStep(run);
        }
        if (RunRecord.summary(run).state() != RunStatus.DONE) {
            try (World world = new World(folder)) {
                world.resume(run.path()).completed();
            }
        }
        RunRecord record = RunRecord.read(run);
        assertThat(record.summary().state()).isEqualTo(RunStatus.DONE);
        assertThat(record.summary().steps()).isEqualTo(STEPS);
        assertThat(record.steps()).extracting(StepRecord::step).isSorted().doesNotHaveDuplicates();
        assertThat(FaultJob.hashes(record)).isEqualTo(hashes);
        assertThat(weights(run)).as("the best model").isEqualTo(weights);
        assertThat(halfWritten(run)).as("leftovers are swept").isEmpty();
    }

    private static RunFolder killAtAStep(Path folder, long step) throws Exception {
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml")) {
            medley.awaitStep(step);
            medley.killAll();
            return medley.run();
        }
    }

    /**
     * A kill that leaves a half-written checkpoint; a few tries, since a write takes but a moment.
     */
    private static void killInMidWrite(RunFolder run, RandomGenerator random) throws Exception {
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            try (MedleyProcess medley = resume(run)) {
                long from = newestCheckpoint(run) + 1 + random.nextInt(20);
                medley.await("at a checkpoint", () -> newestCheckpoint(run) >= from);
                List<ProcessHandle> workers = medley.workers();
                medley.await("writing a checkpoint", () -> !halfWritten(run).isEmpty());
                medley.kill(workers);
            }
            if (!halfWritten(run).isEmpty()) {
                assertThat(CheckpointStore.latest(run.checkpoints()).passedOver()).isEmpty();
                return;
            }
        }
        throw new AssertionError("%d kills and none in mid-write".formatted(MOST_TRIES));
    }

    /** All steps are done and recorded; the run may not have said so yet. */
    private static void killAfterTheLastStep(RunFolder run) throws Exception {
        try (MedleyProcess medley = resume(run)) {
            medley.awaitStep(STEPS);
            medley.killAll();
        }
    }

    private static Path write(String name) throws IOException {
        Path folder = Files.createDirectory(shared.resolve(name));
        FaultJob.write(folder, STEPS, "workers: 2");
        return folder;
    }

    private static MedleyProcess resume(RunFolder run) throws IOException {
        Path folder = run.path().getParent().getParent();
        return MedleyProcess.start(folder, "train", "--resume", run.path().toString());
    }

    private static List<Path> halfWritten(RunFolder run) {
        try (Stream<Path> entries = Files.list(run.checkpoints())) {
            return entries.filter(e -> e.toString().endsWith(".tmp")).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** By its name alone, which a checkpoint gets when it is whole; 0 if there is none. */
    private static long newestCheckpoint(RunFolder run) {
        try (Stream<Path> entries = Files.list(run.checkpoints())) {
            return entries.map(e -> e.getFileName().toString())
                    .filter(name -> name.startsWith("step-"))
                    .mapToLong(name -> Long.parseLong(name.substring("step-".length())))
                    .max()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    private static byte[] weights(RunFolder run) throws IOException {
        return Files.readAllBytes(run.model().resolve("weights.safetensors"));
    }
}
