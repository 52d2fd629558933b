package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines that reach the coordinator and, for a while, not each other. */
@Tag("real")
@Timeout(240)
class CutAgentsTest {
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
                MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml");
                MedleyProcess one = medley.agentBehind(toOne, folder, "one");
                MedleyProcess two = medley.agentBehind(toTwo, folder, "two")) {
            medley.awaitStep(50);
            toOne.cut();
            toTwo.cut();
            medley.awaitEvents("do not reach each other", 1);
            medley.awaitEvents("of 1 worker begins", 1);
            medley.awaitStep(medley.lastStep() + 50);
            toOne.mend();
            toTwo.mend();
            medley.awaitEvents("of 2 workers begins", 2);
            medley.awaitStep(medley.lastStep() + 50);
            medley.interrupt();
            assertThat(one.exitCode()).as(one.said()).isZero();
            assertThat(two.exitCode()).as(two.said()).isZero();
            RunRecord record = RunRecord.read(medley.run());
            assertThat(record.events())
                    .extracting(RunEvent::kind)
                    .doesNotContainAnyElementsOf(NEVER);
            FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
        }
    }
}
