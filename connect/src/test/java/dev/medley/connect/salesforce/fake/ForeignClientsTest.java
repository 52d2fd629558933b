package dev.medley.connect.salesforce.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets clients by others use the fake: what they take for Salesforce is good enough to test ours.
 */
@Tag("real")
class ForeignClientsTest {
    private static final String TOOLS = "../tools/salesforce/";

    @TempDir Path folder;

    private static Path cache() {
        String named = System.getenv("MEDLEY_SALESFORCE");
        return named == null
                ? Path.of(System.getProperty("user.home"), ".cache", "medley-salesforce")
                : Path.of(named);
    }

    @Test
    void shouldServeSimpleSalesforce() throws Exception {
        Path python = cache().resolve("venv/bin/python");
        Assumptions.assumeTrue(
                Files.isExecutable(python),
                "simple-salesforce is not there: tools/salesforce/install.sh");
        assertThat(run(List.of(python.toString(), TOOLS + "check.py"), Map.of()))
                .contains("simple-salesforce: all is as it should be");
    }

    @Test
    void shouldServeJsforce() throws Exception {
        Path modules = cache().resolve("js/node_modules");
        Assumptions.assumeTrue(
                Files.isDirectory(modules.resolve("jsforce")),
                "jsforce is not there: tools/salesforce/install.sh");
        assertThat(
                        run(
                                List.of("node", TOOLS + "check.js"),
                                Map.of("NODE_PATH", modules.toString())))
                .contains("jsforce: all is as it should be");
    }

    @Test
    void shouldServeTheClientOfThePubSubApi() throws Exception {
        Path modules = cache().resolve("pubsub/node_modules");
        Assumptions.assumeTrue(
                Files.isDirectory(modules.resolve("salesforce-pubsub-api-client")),
                "salesforce-pubsub-api-client is not there: tools/salesforce/install.sh");
        assertThat(
                        run(
                                List.of("node", TOOLS + "check-events.js"),
                                Map.of("NODE_PATH", modules.toString())))
                .contains("salesforce-pubsub-api-client: all is as it should be");
    }

    private String run(List<String> client, Map<String, String> environment)
            throws IOException, InterruptedException {
        try (FakeSalesforce fake = FakeSalesforce.start()) {
            FakeSalesforceMain.withTables(fake);
            Path key = Files.writeString(folder.resolve("key.pem"), fake.keyPem());
            List<String> command = new java.util.ArrayList<>(client);
            command.addAll(
                    List.of(
                            fake.url(),
                            key.toString(),
                            FakeSalesforce.CONSUMER_KEY,
                            FakeSalesforce.USER));
            if (client.toString().contains("events")) {
                fake.org.events.select("Account");
                command.add(fake.eventsPlace());
            }
            File said = folder.resolve("said.txt").toFile();
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said);
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean isOver = process.waitFor(120, TimeUnit.SECONDS);
            process.destroyForcibly();
            String text = Files.readString(said.toPath(), StandardCharsets.UTF_8);
            assertThat(isOver).as(text).isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        }
    }
}
