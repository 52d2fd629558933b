package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.record.PlanRecord;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines that go on without one whose link became slow, and take it back now and then. */
@Tag("real")
@Timeout(240)
class LeavingAgentsTest {
    @TempDir Path folder;

    /** All others dial the first, so that all its ways go over its link. */
    @Test
    void aMachineWhoseLinkBecomesSlowShouldBeLeftOutAndLookedAtAgainLater() throws Exception {
        FaultJob.writeEndless(folder, "listen: '127.0.0.1:0', expect: 3, begin: all");
        try (SlowLink toOne = new SlowLink();
                SlowLink toTwo = new SlowLink();
                SlowLink toThree = new SlowLink();
                MedleyProcess medley =
                        MedleyProcess.start(
                                folder,
                                "train",
                                "job.yaml",
                                "-s",
                                "strategy.stragglers=leave",
                                "-s",
                                "strategy.straggler_bound=5",
                                "-s",
                                "strategy.balance=none");
                MedleyProcess one = medley.agentBehind(toOne, folder, "one");
                MedleyProcess two = medley.agentBehind(toTwo, folder, "two");
                MedleyProcess three = medley.agentBehind(toThree, folder, "three")) {
            medley.awaitStep(30);
            Map<String, SlowLink> links = Map.of("one", toOne, "two", toTwo, "three", toThree);
            Objects.requireNonNull(links.get(firstMachine(medley))).slowDown();
            medley.awaitEvents("it sits out for 50 steps at least", 1);
            medley.awaitEvents("of 2 workers begins", 1);
            medley.awaitEvents("when it tries by itself, and is asked back", 1);
            medley.awaitEvents("it sits out for 100 steps at least", 1);
            medley.awaitEvents("of 2 workers begins", 2);
            medley.awaitStep(medley.lastStep() + 10);
            medley.interrupt();
            RunRecord record = RunRecord.read(medley.run());
            assertThat(record.events())
                    .extracting(RunEvent::kind)
                    .doesNotContain(RunEvent.Kind.LOST);
            assertThat(PlanRecord.inForce(record.plans()))
                    .extracting(PlanRecord::workers)
                    .contains(List.of(1, 2, 3), List.of(2, 3));
            // Late for another reason, as on a busy machine, anybody may be.
            assertThat(record.events())
                    .extracting(RunEvent::message)
                    .anyMatch(said -> said.contains("link of worker-1 on "))
                    .noneMatch(said -> said.contains("link of worker-2 on "))
                    .noneMatch(said -> said.contains("link of worker-3 on "));
            FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
        }
    }

    /** Machines are written down in the order of their workers. */
    private static String firstMachine(MedleyProcess medley) {
        return Objects.requireNonNull(RunRecord.read(medley.run()).cluster())
                .get("machines")
                .get(0)
                .get("name")
                .asString();
    }
}
