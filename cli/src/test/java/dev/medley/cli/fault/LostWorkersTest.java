package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
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

/** Workers that are frozen or killed while the rest of the run lives, and workers left alone. */
@Tag("real")
@Timeout(240)
class LostWorkersTest {
    private static final String LOST = "\"LOST\"";
    private static final String WHOLE_AGAIN = "of 2 workers begins";

    @TempDir Path folder;

    @BeforeEach
    void onlyWhereSignalsAre() {
        assumeTrue(
                !System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows"),
                "skipped: Windows has no signals");
    }

    @Test
    void aFrozenWorkerShouldBeReplacedAndLeaveNoProcessBehind() throws Exception {
        FaultJob.writeEndless(folder, "workers: 2, heartbeat: 200ms, peer_timeout: 5s");
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml")) {
            medley.awaitStep(20);
            ProcessHandle frozen = medley.workers().get(1);
            MedleyProcess.signal("STOP", frozen);
            medley.awaitEvents(LOST, 1);
            if (frozen.isAlive()) {
                MedleyProcess.signal("CONT", frozen);
            }
            medley.awaitGone(List.of(frozen));
            medley.awaitEvents(WHOLE_AGAIN, 2);
            endAfterAFewSteps(medley);
            RunRecord record = RunRecord.read(medley.run());
            assertThat(lost(record)).singleElement().asString().contains("silent");
            assertThat(sizesOfGroups(record)).as("its successor joined").containsExactly(2, 1, 2);
            assertWhole(record);
        }
    }

    /** As by Ctrl-Z, or in a machine that is suspended; and the coordinator alone. */
    @Test
    void nobodyShouldBeLostWhenTheRunSleepsLongerThanThePeerTimeout() throws Exception {
        FaultJob.writeEndless(
                folder, "workers: 2, heartbeat: 200ms, peer_timeout: 2500ms, restarts: 0");
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml")) {
            medley.awaitStep(20);
            List<ProcessHandle> all = new ArrayList<>(medley.workers());
            all.add(0, medley.handle());
            for (List<ProcessHandle> sleeping : List.of(all, all, List.of(medley.handle()))) {
                medley.sleep(sleeping, 4_000);
                medley.awaitStep(medley.lastStep() + 20);
            }
            endAfterAFewSteps(medley);
            RunRecord record = RunRecord.read(medley.run());
            assertThat(lost(record)).isEmpty();
            assertThat(sizesOfGroups(record)).containsExactly(2);
            FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
        }
    }

    /** They keep what they hold: the run goes on from there, and its record has every step. */
    @Test
    void workersShouldLeaveByThemselvesWhenTheCoordinatorIsKilled() throws Exception {
        FaultJob.writeEndless(folder, "workers: 2, heartbeat: 200ms, peer_timeout: 1s");
        String never = "checkpoint.every_steps=100000000";
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml", "-s", never)) {
            medley.awaitStep(20);
            List<ProcessHandle> workers = medley.workers();
            assertThat(workers).hasSize(2);
            MedleyProcess.signal("STOP", workers.get(0));
            medley.killCoordinator();
            medley.awaitGone(workers.subList(1, 2));
            assertThat(workers.get(0).isAlive()).as("frozen").isTrue();
            MedleyProcess.signal("CONT", workers.get(0));
            medley.awaitGone(workers.subList(0, 1));
            long seen = medley.lastStep();
            Path checkpoints = medley.run().checkpoints();
            long kept = CheckpointStore.latest(checkpoints).found().orElseThrow().step();
            assertThat(kept).isGreaterThanOrEqualTo(seen);
            String run = medley.run().path().toString();
            try (MedleyProcess resumed = MedleyProcess.start(folder, "train", "--resume", run)) {
                resumed.awaitStep(kept + 100);
                resumed.interrupt();
            }
            RunRecord record = RunRecord.read(medley.run());
            assertThat(record.summary().repeatedSteps()).isZero();
            assertThat(record.summary().missing()).isEmpty();
            assertWhole(record);
        }
    }

    private static void endAfterAFewSteps(MedleyProcess medley) throws Exception {
        medley.awaitStep(medley.lastStep() + 100);
        medley.interrupt();
    }

    /** Nothing lost, nothing repeated, and the recorded plans give the same bits again. */
    private void assertWhole(RunRecord record) throws Exception {
        long steps = record.summary().steps();
        FaultJob.assertNothingLostOrRepeated(record, steps);
        String run = record.folder().path().toString();
        String budget = "train.steps=" + steps;
        try (MedleyProcess again =
                MedleyProcess.start(folder, "train", "job.yaml", "-s", budget, "--replay", run)) {
            assertThat(again.exitCode()).as(again.said()).isZero();
            assertThat(again.run().path().toString()).isNotEqualTo(run);
            assertThat(FaultJob.hashes(RunRecord.read(again.run())))
                    .containsAllEntriesOf(FaultJob.hashes(record));
        }
    }

    private static List<RunEvent> events(RunRecord record, RunEvent.Kind kind) {
        return record.events().stream().filter(event -> event.kind() == kind).toList();
    }

    private static List<String> lost(RunRecord record) {
        return events(record, RunEvent.Kind.LOST).stream().map(RunEvent::message).toList();
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
