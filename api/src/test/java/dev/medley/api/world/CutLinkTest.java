package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.AgentThread.Join;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines that reach the coordinator and, for a while, not each other. */
@Tag("real")
@Timeout(240)
class CutLinkTest {
    private static final List<RunEvent.Kind> NEVER =
            List.of(RunEvent.Kind.LOST, RunEvent.Kind.RESTARTED, RunEvent.Kind.FAILED);

    @TempDir Path folder;

    @Test
    void oneSideShouldGoOnAndTheOtherComeBackWhenTheLinkIsMended() throws Exception {
        FaultJob.writeEndless(
                folder,
                "listen: \"127.0.0.1:0\", expect: 2, restarts: 0, heartbeat: 200ms,"
                        + " peer_timeout: 3s, step_timeout: 8s");
        try (SlowLink toOne = new SlowLink();
                SlowLink toTwo = new SlowLink();
                World world = new World(folder)) {
            RunThread run = world.train();
            AgentThread one = world.agent(run, Join.as("one").behind(toOne));
            AgentThread two = world.agent(run, Join.as("two").behind(toTwo));
            run.awaitStep(50);
            toOne.cut();
            toTwo.cut();
            run.awaitEvents("do not reach each other", 1);
            run.awaitEvents("of 1 worker begins", 1);
            run.awaitMoreSteps(50);
            toOne.mend();
            toTwo.mend();
            run.awaitEvents("of 2 workers begins", 2);
            run.awaitMoreSteps(50);
            RunRecord record = run.interrupted();
            assertThat(one.ended()).as(one.said()).isTrue();
            assertThat(two.ended()).as(two.said()).isTrue();
            assertThat(record.events())
                    .extracting(RunEvent::kind)
                    .doesNotContainAnyElementsOf(NEVER);
            FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
        }
    }
}
