package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
import dev.medley.base.Json;
import dev.medley.cli.ExampleClasses;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MachineProfile.Speeds;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.entry.WorkerRecord;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent that serves one run after another, of a job with classes of its own. */
@Tag("real")
@Timeout(240)
class StayingAgentTest {
    private static final Pattern JOIN = Pattern.compile("--join 127\\.0\\.0\\.1:(\\d+)");

    @TempDir Path folder;

    @Test
    void shouldBringTheUsersClassesOnceAndStayForTheNextRun() throws Exception {
        assumeTrue(
                !System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows"),
                "skipped: Windows has no signals");
        ExampleClasses.compile(folder.resolve("classes"));
        FaultJob.write(folder, 30, "listen: '127.0.0.1:0', expect: 1, class_path: classes");
        String[] train = {
            "train", "job.yaml", "-s", "model={class: com.example.SkipNetwork, options: {width: 8}}"
        };
        String port;
        MedleyProcess agent;
        MachineProfile before;
        try (MedleyProcess first = MedleyProcess.start(folder, train)) {
            agent = first.agent(folder, "one", "--copy-files");
            assertThat(first.exitCode()).as(first.said() + agent.said()).isZero();
            Matcher join = JOIN.matcher(first.said());
            assertThat(join.find()).isTrue();
            port = join.group(1);
            before = machine(first);
        }
        try (agent;
                MedleyProcess second =
                        MedleyProcess.start(
                                folder,
                                train[0],
                                train[1],
                                train[2],
                                train[3],
                                "--listen",
                                "127.0.0.1:" + port)) {
            assertThat(second.exitCode()).as(second.said() + agent.said()).isZero();
            MachineProfile now = machine(second);
            assertThat(now.look().speeds()).as("measured once").isEqualTo(Speeds.KEPT);
            assertThat(now.wallMillis()).isEqualTo(before.wallMillis());
            assertThat(now.look().wallMillis()).isGreaterThan(before.look().wallMillis());
            MedleyProcess.signal("TERM", agent.handle());
            assertThat(agent.exitCode()).as(agent.said()).isZero();
            assertThat(agent.said())
                    .containsOnlyOnce("this machine: ")
                    .contains("; measured for the first time")
                    .containsOnlyOnce("fetching classes")
                    .contains("worker-1 of faults");
            assertThat(agent.said().split("joined 127", -1)).as("two runs").hasSize(3);
        }
    }

    /** As the run's record has what its agent saw. */
    private static MachineProfile machine(MedleyProcess run) {
        WorkerRecord worker = RunRecord.read(run.run()).workers().get(0);
        return Json.bind(Objects.requireNonNull(worker.machine()), MachineProfile.class);
    }
}
