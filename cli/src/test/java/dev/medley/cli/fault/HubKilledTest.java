package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.base.Json;
import dev.medley.fleet.state.JobPhase;
import dev.medley.hub.client.HubAddress;
import dev.medley.hub.client.HubClient;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A hub, an agent that stays, and real jobs; the hub is killed in the middle of one. */
@Tag("real")
@Timeout(240)
class HubKilledTest {
    private static final Pattern LISTENS = Pattern.compile("listens at 127\\.0\\.0\\.1:(\\d+)");
    private static final int STEPS = 400;
    private static final int BATCH = 16;

    @TempDir Path folder;

    @Test
    void shouldGoOnWithEveryJobAndStartNoneTwice() throws Exception {
        assumeTrue(
                !System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows"),
                "skipped: Windows has no signals");
        writeTable();
        MedleyProcess hub = hub("0");
        String port = port(hub);
        Path own = Files.createDirectories(folder.resolve("a1"));
        try (MedleyProcess agent =
                MedleyProcess.start(
                        own,
                        "agent",
                        "--hub",
                        "127.0.0.1:" + port,
                        "--token-file",
                        token("AGENT").toString(),
                        "--name",
                        "a1",
                        "--type",
                        "one",
                        "--folder",
                        own.toString())) {
            HubClient client =
                    HubClient.to(
                            HubAddress.parse("127.0.0.1:" + port),
                            Files.readString(token("ADMIN")),
                            null);
            long first = submit(client);
            long second = submit(client);
            hub.await("running", () -> client.job(first).figures().doneFraction() > 0);
            hub.handle().destroyForcibly();
            hub.close();
            try (MedleyProcess again = hub(port)) {
                port(again);
                again.await(
                        "done",
                        () ->
                                Stream.of(first, second)
                                        .allMatch(id -> client.job(id).phase().isOver()));
                requireWhole(client.job(first));
                requireWhole(client.job(second));
                assertThat(client.timeline(0))
                        .extracting(tenure -> tenure.job())
                        .contains(first, second);
                assertThat(client.why(first).decisions()).isNotEmpty();
            }
            assertThat(agent.said()).contains("what is served goes on", "the hub is there again");
        }
    }

    /** It has all of its steps; what may have been begun before is not done a second time. */
    private void requireWhole(JobStatus job) throws IOException {
        assertThat(job.phase()).as(job.why()).isEqualTo(JobPhase.DONE);
        RunFolder last = RunFolder.at(Path.of(job.runFolder()));
        assertThat(RunRecord.summary(last).steps()).isEqualTo(STEPS);
        Path runs = folder.resolve("hub/jobs/" + job.id() + "/runs");
        try (Stream<Path> all = Files.list(runs)) {
            assertThat(all)
                    .filteredOn(
                            run -> RunRecord.summary(RunFolder.at(run)).state() == RunStatus.DONE)
                    .hasSize(1);
        }
    }

    private MedleyProcess hub(String port) throws IOException {
        return MedleyProcess.start(
                folder,
                "hub",
                "--listen",
                "127.0.0.1:" + port,
                "--folder",
                folder.resolve("hub").toString());
    }

    private static String port(MedleyProcess hub) throws Exception {
        hub.await("listening", () -> LISTENS.matcher(hub.said()).find());
        Matcher listens = LISTENS.matcher(hub.said());
        assertThat(listens.find()).isTrue();
        return listens.group(1);
    }

    private Path token(String role) throws IOException {
        Path file = folder.resolve(role.toLowerCase(Locale.ROOT) + ".token");
        for (JsonNode token :
                Json.read(folder.resolve("hub/tokens.json"), JsonNode.class).get("tokens")) {
            if (token.get("role").asString().equals(role)) {
                Files.writeString(file, token.get("token").asString());
            }
        }
        return file;
    }

    private long submit(HubClient client) {
        String job =
                """
                name: small
                data: {train: table.csv, label: y}
                model: {family: mlp, hidden: [8]}
                train: {steps: %d, batch: %d, evaluate_every: 200}
                """
                        .formatted(STEPS, BATCH);
        return client.submit(
                        new Submission(
                                "small.yaml", job, folder.toString(), "", SubmitTerms.NONE, 1, 1))
                .id();
    }

    private void writeTable() throws IOException {
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 400; i++) {
            rows.append(i % 17).append(',').append(i % 5).append(',');
            rows.append(i % 17 > 8 ? "yes" : "no").append('\n');
        }
        Files.writeString(folder.resolve("table.csv"), rows);
    }
}
