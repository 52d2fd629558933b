package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.record.PlanRecord;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A machine that becomes slow gets less at once. */
@Tag("real")
@Timeout(240)
class ShrinkingAgentsTest {
    @TempDir Path folder;

    /** A step takes more than its quota in a period, so that each from then on is late by far. */
    @Test
    void aMachineThatBecomesSlowShouldGetLessAtOnce() throws Exception {
        FaultJob.writeEndless(folder, "listen: '127.0.0.1:0', expect: 2, begin: all");
        try (ControlGroup slow = ControlGroup.ofCpu(1_000, 30_000);
                MedleyProcess medley =
                        MedleyProcess.start(
                                folder,
                                "train",
                                "job.yaml",
                                "-s",
                                "model.hidden=[1024, 1024]",
                                "-s",
                                "strategy.stragglers=shrink");
                MedleyProcess one = medley.agent(folder, "one", "--once", "--site", "here");
                MedleyProcess two = medley.agent(folder, "two", "--once", "--site", "there")) {
            medley.awaitStep(50);
            RunRecord before = RunRecord.read(medley.run());
            int worker = workerOn("two", before);
            slow.take(two.workers().get(0));
            medley.awaitEvents(
                    "worker-" + worker + " on two took ", shrunk(worker, before).size() + 1);
            slow.lift();
            medley.awaitStep(medley.lastStep() + 10);
            medley.interrupt();
            RunRecord record = RunRecord.read(medley.run());
            assertThat(record.events())
                    .extracting(RunEvent::kind)
                    .doesNotContain(RunEvent.Kind.LOST);
            long step = before.steps().size();
            assertThat(shrunk(worker, record))
                    .filteredOn(plan -> plan.fromStep() > step)
                    .as("%s", record.plans())
                    .first()
                    .extracting(plan -> plan.plan().shares().get(plan.workers().indexOf(worker)))
                    .satisfies(share -> assertThat(share).isLessThan(FaultJob.BATCH / 2));
            FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
        }
    }

    /** Machines are written down in the order of their workers. */
    private static int workerOn(String machine, RunRecord record) {
        List<String> names = new ArrayList<>();
        JsonNode machines = Objects.requireNonNull(record.cluster()).get("machines");
        machines.forEach(of -> names.add(of.get("name").asString()));
        return names.indexOf(machine) + 1;
    }

    /** The plans that were made because it was late. */
    private static List<PlanRecord> shrunk(int worker, RunRecord record) {
        return record.plans().stream()
                .filter(
                        of ->
                                of.plan()
                                        .why()
                                        .matches(
                                                "worker-"
                                                        + worker
                                                        + " took .*shares change from.*"))
                .toList();
    }
}
