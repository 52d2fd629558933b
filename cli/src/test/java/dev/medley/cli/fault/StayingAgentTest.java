package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
import dev.medley.api.world.RunThread;
import dev.medley.api.world.World;
import dev.medley.base.Json;
import dev.medley.cli.ExampleClasses;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MachineProfile.Speeds;
import dev.medley.record.entry.WorkerRecord;
import dev.medley.record.folder.RunRecord;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent that serves one run after another, of a job with classes of its own. */
@Tag("real")
@Timeout(240)
class StayingAgentTest {
    @TempDir Path folder;

    @Test
    void shouldBringTheUsersClassesOnceAndStayForTheNextRun() throws Exception {
        assumeTrue(
                !System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows"),
                "skipped: Windows has no signals");
        ExampleClasses.compile(folder.resolve("classes"));
        FaultJob.write(folder, 30, "listen: '127.0.0.1:0', expect: 1, class_path: classes");
        String model = "model={class: com.example.SkipNetwork, options: {width: 8}}";
        try (World world = new World(folder)) {
            RunThread first = world.train(model);
            InetSocketAddress address = first.listening();
            MedleyProcess agent = MedleyProcess.agentOf(address, folder, "one", "--copy-files");
            try (agent) {
                MachineProfile before = machine(first.completed());
                RunThread second =
                        world.train(model, "cluster.listen=127.0.0.1:" + address.getPort());
                MachineProfile now = machine(second.completed());
                assertThat(now.look().speeds()).as("measured once").isEqualTo(Speeds.KEPT);
                assertThat(now.wallMillis()).isEqualTo(before.wallMillis());
                assertThat(now.look().wallMillis()).isGreaterThan(before.look().wallMillis());
                assertServedTwo(agent);
            }
        }
    }

    private static void assertServedTwo(MedleyProcess agent) throws Exception {
        MedleyProcess.signal("TERM", agent.handle());
        assertThat(agent.exitCode()).as(agent.said()).isZero();
        assertThat(agent.said())
                .containsOnlyOnce("this machine: ")
                .contains("; measured for the first time")
                .containsOnlyOnce("fetching classes")
                .contains("worker-1 of faults");
        assertThat(agent.said().split("joined 127", -1)).as("two runs").hasSize(3);
    }

    /** As the run's record has what its agent saw. */
    private static MachineProfile machine(RunRecord run) {
        WorkerRecord worker = run.workers().get(0);
        return Json.bind(Objects.requireNonNull(worker.machine()), MachineProfile.class);
    }
}
