package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.terminal.ExitCode;
import dev.medley.profile.record.RunRecord;
import dev.medley.store.object.S3Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data that reaches machines over an S3 server, while nothing may be sent to them. */
@Tag("real")
@Timeout(240)
class DataStoreTest {
    private static final int STEPS = 60;
    private static final String CLUSTER =
            "listen: '127.0.0.1:0', expect: 2, send: 0, data_store: 's3://%s/medley'";
    private static final Pattern JOIN = Pattern.compile("--join (127\\.0\\.0\\.1:\\d+)");

    @TempDir Path folder;

    @Test
    void machinesShouldFetchTheDataFromTheStoreThatItWasPutInto() throws Exception {
        try (S3Server server = S3Server.start()) {
            FaultJob.write(folder, STEPS, CLUSTER.formatted(S3Server.BUCKET));
            Map<String, String> access = server.environment();
            try (MedleyProcess medley = start(folder, access, "train", "job.yaml");
                    MedleyProcess one = agent(medley, access, "one");
                    MedleyProcess two = agent(medley, access, "two")) {
                assertThat(medley.exitCode()).as(medley.said() + one.said() + two.said()).isZero();
                for (MedleyProcess agent : List.of(one, two)) {
                    assertThat(agent.exitCode()).as(agent.said()).isZero();
                    assertThat(agent.said()).contains("from s3://bucket/medley");
                }
                FaultJob.assertNothingLostOrRepeated(RunRecord.read(medley.run()), STEPS);
            }
        }
    }

    @Test
    void aStoreThatRefusesShouldBeSaidBeforeAnythingStarts() throws Exception {
        try (S3Server server = S3Server.start()) {
            FaultJob.write(folder, STEPS, CLUSTER.formatted("nobodys"));
            try (MedleyProcess medley = start(folder, server.environment(), "train", "job.yaml")) {
                assertThat(medley.exitCode()).isEqualTo(ExitCode.INPUT);
                assertThat(medley.said())
                        .contains("cluster.data_store: s3://nobodys/medley/", "NoSuchBucket")
                        .doesNotContain("\tat ");
                assertThat(folder.resolve("runs")).doesNotExist();
            }
        }
    }

    private static MedleyProcess start(Path folder, Map<String, String> access, String... command)
            throws Exception {
        List<String> before = new ArrayList<>(List.of("env"));
        access.forEach((name, value) -> before.add(name + "=" + value));
        return MedleyProcess.start(folder, System.getProperty("java.class.path"), before, command);
    }

    private MedleyProcess agent(MedleyProcess medley, Map<String, String> access, String name)
            throws Exception {
        medley.await("listening", () -> JOIN.matcher(medley.said()).find());
        Matcher join = JOIN.matcher(medley.said());
        assertThat(join.find()).isTrue();
        Path own = Files.createDirectories(folder.resolve(name));
        return start(
                own,
                access,
                "agent",
                "--once",
                "--copy-files",
                "--join",
                join.group(1),
                "--name",
                name,
                "--folder",
                own.toString());
    }
}
