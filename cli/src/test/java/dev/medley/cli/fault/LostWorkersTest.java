package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
import dev.medley.api.world.RunThread;
import dev.medley.api.world.World;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.checkpoint.CheckpointStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers that sleep with their run, are frozen while it lives, and are left alone by it. */
@Tag("real")
@Timeout(480)
class LostWorkersTest {
    private static final String LOST = "\"LOST\"";
    private static final String WHOLE_AGAIN = "of 2 workers begins";

    /** Longer than the timeout of peers, by what a busy machine may be late. */
    private static final long SLEEP_MILLIS = 3_500;

    @TempDir Path folder;

    @BeforeEach
    void onlyWhereSignalsAre() {
        assumeTrue(
                !System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows"),
                "skipped: Windows has no signals");
    }

    /** What workers hold when they leave is all that the run can go on from. */
    @Test
    void aRunShouldSurviveSleepAFrozenWorkerAndTheDeathOfItsCoordinator() throws Exception {
        FaultJob.writeEndless(folder, "workers: 2, heartbeat: 200ms, peer_timeout: 2500ms");
        String never = "checkpoint.every_steps=100000000";
        Path run;
        long kept;
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml", "-s", never)) {
            medley.awaitStep(20);
            sleepAndLoseNobody(medley);
            freezeOneThatIsReplaced(medley);
            kept = killTheCoordinatorAlone(medley);
            run = medley.run().path();
        }
        try (World world = new World(folder)) {
            RunThread resumed = world.resume(run);
            resumed.awaitStep(kept + 100);
            RunRecord record = resumed.interrupted();
            assertThat(record.summary().repeatedSteps()).isZero();
            assertThat(record.summary().missing()).isEmpty();
            assertWhole(world, record);
        }
    }

    /** As by Ctrl-Z, or in a machine that is suspended; and the coordinator alone. */
    private static void sleepAndLoseNobody(MedleyProcess medley) throws Exception {
        List<ProcessHandle> all = new ArrayList<>(medley.workers());
        all.add(0, medley.handle());
        for (List<ProcessHandle> sleeping : List.of(all, List.of(medley.handle()))) {
            medley.sleep(sleeping, SLEEP_MILLIS);
            medley.awaitStep(medley.lastStep() + 20);
        }
        RunRecord record = RunRecord.read(medley.run());
        assertThat(lost(record)).isEmpty();
        assertThat(sizesOfGroups(record)).containsExactly(2);
    }

    /** It leaves no process behind. */
    private static void freezeOneThatIsReplaced(MedleyProcess medley) throws Exception {
        ProcessHandle frozen = medley.workers().get(1);
        MedleyProcess.signal("STOP", frozen);
        medley.awaitEvents(LOST, 1);
        if (frozen.isAlive()) {
            MedleyProcess.signal("CONT", frozen);
        }
        medley.awaitGone(List.of(frozen));
        medley.awaitEvents(WHOLE_AGAIN, 2);
        medley.awaitStep(medley.lastStep() + 100);
        RunRecord record = RunRecord.read(medley.run());
        assertThat(lost(record)).singleElement().asString().contains("silent");
        assertThat(sizesOfGroups(record)).as("its successor joined").containsExactly(2, 1, 2);
    }

    /** Its workers leave by themselves, and keep the step that is returned. */
    private static long killTheCoordinatorAlone(MedleyProcess medley) throws Exception {
        List<ProcessHandle> workers = medley.workers();
        assertThat(workers).hasSize(2);
        MedleyProcess.signal("STOP", workers.get(0));
        medley.killCoordinator();
        medley.awaitGone(workers.subList(1, 2));
        assertThat(workers.get(0).isAlive()).as("frozen").isTrue();
        MedleyProcess.signal("CONT", workers.get(0));
        medley.awaitGone(workers.subList(0, 1));
        Path checkpoints = medley.run().checkpoints();
        long kept = CheckpointStore.latest(checkpoints).found().orElseThrow().step();
        assertThat(kept).isGreaterThanOrEqualTo(medley.lastStep());
        return kept;
    }

    /** Nothing lost, nothing repeated, and the recorded plans give the same bits again. */
    private static void assertWhole(World world, RunRecord record) throws Exception {
        long steps = record.summary().steps();
        FaultJob.assertNothingLostOrRepeated(record, steps);
        RunRecord again = world.replay(record.folder().path(), "train.steps=" + steps).completed();
        assertThat(again.folder().path()).isNotEqualTo(record.folder().path());
        assertThat(FaultJob.hashes(again)).containsAllEntriesOf(FaultJob.hashes(record));
    }

    private static List<String> lost(RunRecord record) {
        return record.events().stream()
                .filter(event -> event.kind() == RunEvent.Kind.LOST)
                .map(RunEvent::message)
                .toList();
    }

    /** Workers that took each step, repetitions left out. */
    private static List<Integer> sizesOfGroups(RunRecord record) {
        List<Integer> sizes =
                record.steps().stream().map(StepRecord::workers).map(List::size).toList();
        return IntStream.range(0, sizes.size())
                .filter(i -> i == 0 || !sizes.get(i).equals(sizes.get(i - 1)))
                .mapToObj(sizes::get)
                .toList();
    }
}
