package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.FaultJob;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.record.folder.RunRecord;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
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
            "listen: '127.0.0.1:0', expect: 1, send: 0, data_store: 's3://%s/medley'";
    private static final Pattern JOIN = Pattern.compile("--join (127\\.0\\.0\\.1:\\d+)");

    @TempDir Path folder;

    @Test
    void machinesShouldFetchTheDataFromTheStoreThatItWasPutInto() throws Exception {
        S3Proxy server = server();
        try {
            FaultJob.write(folder, STEPS, CLUSTER.formatted("bucket"));
            Map<String, String> access = access(server);
            try (MedleyProcess medley = start(folder, access, "train", "job.yaml");
                    MedleyProcess agent = agent(medley, access, "one")) {
                assertThat(medley.exitCode()).as(medley.said() + agent.said()).isZero();
                assertThat(agent.exitCode()).as(agent.said()).isZero();
                assertThat(agent.said()).contains("from s3://bucket/medley");
                FaultJob.assertNothingLostOrRepeated(RunRecord.read(medley.run()), STEPS);
            }
        } finally {
            server.stop();
        }
    }

    @Test
    void aStoreThatRefusesShouldBeSaidBeforeAnythingStarts() throws Exception {
        S3Proxy server = server();
        try {
            FaultJob.write(folder, STEPS, CLUSTER.formatted("nobodys"));
            try (MedleyProcess medley = start(folder, access(server), "train", "job.yaml")) {
                assertThat(medley.exitCode()).isEqualTo(ExitCode.INPUT);
                assertThat(medley.said())
                        .contains("cluster.data_store: s3://nobodys/medley/", "NoSuchBucket")
                        .doesNotContain("\tat ");
                assertThat(folder.resolve("runs")).doesNotExist();
            }
        } finally {
            server.stop();
        }
    }

    /** A real S3 server on loopback with one bucket, which checks signatures. */
    private static S3Proxy server() throws Exception {
        TransientNio2BlobStore blobs = new TransientNio2BlobStore();
        blobs.createContainer("bucket");
        S3Proxy server =
                S3Proxy.builder()
                        .blobStore(blobs)
                        .endpoint(URI.create("http://127.0.0.1:0"))
                        .awsAuthentication(AuthenticationType.AWS_V4, "key", "secret")
                        .build();
        server.start();
        return server;
    }

    private static Map<String, String> access(S3Proxy server) {
        return Map.of(
                "AWS_ACCESS_KEY_ID",
                "key",
                "AWS_SECRET_ACCESS_KEY",
                "secret",
                "AWS_ENDPOINT_URL",
                "http://127.0.0.1:" + server.getPort());
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
                "."); // Its own, where it is started.
    }
}
