package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.BatchSizes;
import dev.medley.base.Plan;
import dev.medley.base.time.Clock;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecorder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run that is gone on with knows of its steps beyond the last checkpoint. */
@Tag("unit")
class RecordedPlansTest {
    @TempDir Path folder;

    @Test
    void stepsBeyondTheCheckpointShouldBeAsLongAsTheirPlansSay() {
        Clock clock = Clock.system();
        RunFolder run = RunFolder.create(folder, "some", clock);
        RunIdentity identity =
                new RunIdentity("some", clock.wallMillis(), "medley train", "0", RunProcess.self());
        try (RunRecorder recorder =
                RunRecorder.start(run, identity, Map.of(), RecorderOptions.defaults(), clock)) {
            recorder.plan(plan(1, 64));
            recorder.plan(plan(91, 32)); // Of another life of the run: the checkpoint knows better.
            recorder.plan(plan(121, 128));
        }
        BatchSizes sizes = RecordedPlans.sizes(run, BatchSizes.of(64), 100);
        assertThat(sizes.changes())
                .containsExactly(new BatchSizes.Change(1, 64), new BatchSizes.Change(121, 128));
    }

    private static PlanRecord plan(long fromStep, int batch) {
        return new PlanRecord(
                0, fromStep, 1, List.of(1), new Plan(1, List.of(batch), batch, "why"), List.of());
    }
}
