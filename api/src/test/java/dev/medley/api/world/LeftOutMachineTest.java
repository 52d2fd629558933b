package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.AgentThread.Join;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunRecord;
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
class LeftOutMachineTest {
    @TempDir Path folder;

    /** All others dial the first, so that all its ways go over its link. */
    @Test
    void aMachineWhoseLinkBecomesSlowShouldBeLeftOutAndLookedAtAgainLater() throws Exception {
        FaultJob.writeEndless(folder, "listen: '127.0.0.1:0', expect: 3, begin: all");
        try (SlowLink toOne = new SlowLink();
                SlowLink toTwo = new SlowLink();
                SlowLink toThree = new SlowLink();
                World world = new World(folder)) {
            RunThread run =
                    world.train(
                            "strategy.stragglers=leave",
                            "strategy.straggler_bound=5",
                            "strategy.balance=none");
            world.agent(run, Join.as("one").behind(toOne));
            world.agent(run, Join.as("two").behind(toTwo));
            world.agent(run, Join.as("three").behind(toThree));
            run.awaitStep(30);
            Map<String, SlowLink> links = Map.of("one", toOne, "two", toTwo, "three", toThree);
            Objects.requireNonNull(links.get(firstMachine(run))).slowDown();
            run.awaitEvents("it sits out for 50 steps at least", 1);
            run.awaitEvents("of 2 workers begins", 1);
            run.awaitEvents("when it tries by itself, and is asked back", 1);
            run.awaitEvents("it sits out for 100 steps at least", 1);
            run.awaitEvents("of 2 workers begins", 2);
            run.awaitMoreSteps(10);
            RunRecord record = run.interrupted();
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
    private static String firstMachine(RunThread run) {
        return Objects.requireNonNull(run.record().cluster())
                .get("machines")
                .get(0)
                .get("name")
                .asString();
    }
}
