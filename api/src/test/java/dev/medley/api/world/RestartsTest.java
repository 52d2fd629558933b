package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are lost until none is left to come in their place, and all at once. */
@Tag("real")
@Timeout(240)
class RestartsTest {
    private static final String WHOLE_AGAIN = "of 2 workers begins";

    @TempDir Path folder;

    @Test
    void workersShouldBeReplacedUntilRestartsAreUsedUp() throws Exception {
        RandomGenerator random = Seeds.generator(1);
        FaultJob.writeEndless(folder, "workers: 2, restarts: 2");
        try (World world = new World(folder)) {
            RunThread run = world.train();
            for (int kills = 1; kills <= 3; kills++) {
                run.awaitEvents(WHOLE_AGAIN, kills);
                run.awaitMoreSteps(1 + random.nextInt(30));
                run.kill(2); // The newest: two old ones within a second would be one loss.
                run.awaitLosses(kills);
            }
            run.awaitMoreSteps(100);
            RunRecord record = run.interrupted();
            assertThat(events(record, RunEvent.Kind.LOST)).hasSize(3);
            assertThat(events(record, RunEvent.Kind.RESTARTED)).hasSize(2);
            assertThat(sizesOfGroups(record)).containsExactly(2, 1, 2, 1, 2, 1);
            assertRepeats(world, record);
        }
    }

    /**
     * Nobody holds the state any more: newcomers begin from the last checkpoint, which is never
     * ahead of the record.
     */
    @Test
    void aRunShouldGoOnFromItsCheckpointWhenAllWorkersAreKilledAtOnce() throws Exception {
        FaultJob.writeEndless(folder, "workers: 2, restarts: 2");
        try (World world = new World(folder)) {
            RunThread run = world.train("checkpoint.every_steps=3");
            run.awaitStep(130);
            run.killAll();
            run.awaitLosses(2);
            run.awaitEvents(WHOLE_AGAIN, 2);
            run.awaitMoreSteps(100);
            RunRecord record = run.interrupted();
            assertThat(events(record, RunEvent.Kind.RESTARTED)).hasSize(2);
            FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
        }
    }

    /** Nothing lost, nothing repeated, and the recorded plans give the same bits again. */
    private static void assertRepeats(World world, RunRecord record) throws Exception {
        long steps = record.summary().steps();
        FaultJob.assertNothingLostOrRepeated(record, steps);
        RunRecord again = world.replay(record.folder().path(), "train.steps=" + steps).completed();
        assertThat(FaultJob.hashes(again)).containsAllEntriesOf(FaultJob.hashes(record));
    }

    private static List<RunEvent> events(RunRecord record, RunEvent.Kind kind) {
        return record.events().stream().filter(event -> event.kind() == kind).toList();
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
