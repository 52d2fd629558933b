package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole run whose strategy is chosen. */
@Tag("real")
class AutoRunTest {
    @TempDir Path folder;

    @Test
    void autoShouldBeDataParallelOnOneMachineAndTheRunShouldRepeat() throws IOException {
        SmallJob auto = SmallJob.in(folder, 2, 20).strategy(StrategySpec.defaults(Kind.AUTO));
        List<JobSpec> decided = new ArrayList<>();
        RunResult chosen = train(auto, options(), decided);
        assertThat(decided)
                .singleElement()
                .satisfies(j -> assertThat(j.strategy()).isEqualTo(StrategySpec.defaults()));
        RunRecord record = RunRecord.read(chosen.folder());
        assertThat(PlanRecord.chosen(record.plans())).isEqualTo(StrategySpec.defaults());
        assertThat(record.plans().get(0).plan().why())
                .startsWith("auto: data-parallel: all workers are processes of one machine; batch");
        assertThat(record.events())
                .extracting(RunEvent::message)
                .anyMatch(m -> m.contains("auto: data-parallel"));
        RunResult repeated = train(auto, options().replaying(chosen.folder().path()), decided);
        assertThat(repeated.outcome().parameterHash()).isEqualTo(chosen.outcome().parameterHash());
        assertThat(decided).as("a repeated run chooses nothing").hasSize(1);
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"));
    }

    private static RunResult train(SmallJob job, RunOptions options, List<JobSpec> decided) {
        RunProgress watching =
                new RunProgress() {
                    @Override
                    public void decided(JobSpec chosen) {
                        decided.add(chosen);
                    }
                };
        return Runs.completed(job, options, watching);
    }
}
