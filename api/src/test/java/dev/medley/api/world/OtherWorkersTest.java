package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that is resumed on another number of workers. */
@Tag("real")
@Timeout(240)
class OtherWorkersTest {
    private static final int STEPS = 300;

    /** What is dropped depends on how the batch is cut. */
    private static final String NO_DROPOUT = "model.dropout=0";

    @TempDir Path folder;

    @Test
    void anotherNumberOfWorkersShouldChangeNothingButRounding() throws Exception {
        FaultJob.write(folder, STEPS, "workers: 1");
        try (World world = new World(folder)) {
            RunRecord whole = world.train(NO_DROPOUT).completed();
            RunThread part = world.train(NO_DROPOUT);
            part.awaitStep(20);
            Path run = part.interrupted().folder().path();
            RunRecord record = world.resumeOn(3, run).completed();
            assertThat(record.plans())
                    .extracting(PlanRecord::workers)
                    .extracting(List::size)
                    .containsExactly(1, 3);
            FaultJob.assertNothingLostOrRepeated(record, STEPS);
            assertClose(losses(record), losses(whole));
        }
    }

    private static List<Double> losses(RunRecord record) {
        return record.steps().stream().map(StepRecord::loss).toList();
    }

    private static void assertClose(List<Double> actual, List<Double> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
            assertThat(actual.get(i))
                    .as("loss of step %d", i + 1)
                    .isCloseTo(expected.get(i), within(1e-3 * expected.get(i) + 1e-5));
        }
    }
}
