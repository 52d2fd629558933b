package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.AgentThread.Join;
import dev.medley.base.time.Clock;
import dev.medley.net.certs.ClusterFolder;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines with certificates of which one leaves in mid-run and another comes. */
@Tag("real")
@Timeout(240)
class LeavingMachineTest {
    @TempDir Path folder;

    @Test
    void aMachineThatIsWantedBackShouldLeaveAfterAStepAndAnotherJoin() throws Exception {
        FaultJob.writeEndless(
                folder,
                "listen: '127.0.0.1:0', expect: 2, begin: all, heartbeat: 200ms, credentials:"
                        + " certs/boss, encrypt: all");
        new ClusterFolder(folder.resolve("certs"), Clock.system())
                .make(List.of("boss", "one", "two", "three"), 2);
        try (World world = new World(folder)) {
            RunThread run = world.train("strategy.balance=none");
            AgentThread one = world.agent(run, secured("one"));
            AgentThread two = world.agent(run, secured("two"));
            run.awaitStep(20);
            two.leave();
            assertThat(two.ended()).as(two.said()).isTrue();
            run.awaitEvents("of 1 worker begins", 1);
            run.awaitMoreSteps(10);
            AgentThread three = world.agent(run, secured("three"));
            run.awaitEvents("three has joined", 1);
            run.awaitEvents("of 2 workers begins", 2);
            run.awaitMoreSteps(10);
            RunRecord record = run.interrupted();
            assertThat(three.said()).contains("runs");
            assertThat(one.ended()).as(one.said()).isTrue();
            assertThat(record.events())
                    .extracting(RunEvent::kind)
                    .contains(RunEvent.Kind.LEFT)
                    .doesNotContain(RunEvent.Kind.LOST);
            FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
        }
    }

    private Join secured(String name) {
        return Join.as(name).with(folder.resolve("certs").resolve(name)).copying();
    }
}
