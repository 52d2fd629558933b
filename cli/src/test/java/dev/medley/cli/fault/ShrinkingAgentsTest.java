package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.FaultJob;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
            int worker = busiest(before);
            String machine = machines(before).get(worker - 1);
            slow.take(Map.of("one", one, "two", two).get(machine).workers().get(0));
            medley.awaitEvents(
                    "worker-%d on %s took ".formatted(worker, machine),
                    shrunk(worker, before).size() + 1);
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

    /** The worker with most of the batch; a busy host may have made either look slow so far. */
    private static int busiest(RunRecord record) {
        PlanRecord plan = record.plans().get(record.plans().size() - 1);
        List<Integer> shares = plan.plan().shares();
        return plan.workers().get(shares.indexOf(Collections.max(shares)));
    }

    /** Machines are written down in the order of their workers. */
    private static List<String> machines(RunRecord record) {
        List<String> names = new ArrayList<>();
        JsonNode machines = Objects.requireNonNull(record.cluster()).get("machines");
        machines.forEach(of -> names.add(of.get("name").asString()));
        return names;
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
