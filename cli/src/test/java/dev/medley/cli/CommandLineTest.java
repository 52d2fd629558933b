package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.cli.terminal.Screen;
import dev.medley.cli.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class CommandLineTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "train",
                "simulate",
                "evaluate",
                "predict",
                "generate",
                "export",
                "runs",
                "runs list",
                "runs compare",
                "runs rm",
                "report",
                "models",
                "data",
                "data get",
                "data describe",
                "certs",
                "doctor"
            })
    void shouldExplainEveryCommandWithExamples(String command) {
        List<String> args =
                Stream.concat(Stream.of(command.split(" ")), Stream.of("--help"))
                        .filter(a -> !a.isEmpty())
                        .toList();
        Said said = Said.when(args.toArray(String[]::new));
        assertThat(said.exitCode()).isZero();
        assertThat(said.err()).isEmpty();
        assertThat(said.out()).contains("Examples:").contains("  medley " + command);
        assertThat(said.out().lines()).allMatch(line -> line.length() <= 100);
    }

    @Test
    void shouldListEveryCommandInTheHelp() {
        assertThat(Said.when("--help").out())
                .contains("train ", "evaluate ", "predict ", "generate ", "runs ", "doctor ");
    }

    @Test
    void shouldSayItsVersion() {
        Said said = Said.when("--version");
        assertThat(said.out()).startsWith("medley " + Version.build() + " (JDK");
        assertThat(Version.build())
                .matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT\\+[0-9a-f]{8})?")
                .startsWith(Version.number());
    }

    @Test
    void shouldGuessMisspeltCommandsAndOptions() {
        Said command = Said.when("trian");
        assertThat(command.exitCode()).isEqualTo(2);
        assertThat(command.err()).contains("no command 'trian'").contains("medley train");
        Said option = Said.when("train", "--wokers", "3");
        assertThat(option.exitCode()).isEqualTo(2);
        assertThat(option.err()).contains("--wokers").contains("--workers");
        Said nothing = Said.when();
        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(nothing.err()).contains("medley --help");
    }

    @Test
    void shouldSayInTheUsersWordsWhatIsWrongWithAnArgument() {
        assertRefused("train x.yaml --workers many", "'many' is not a whole number");
        assertRefused("generate m --prompt a --temperature warm", "'warm' is not a number");
        assertRefused("train x.yaml y.yaml", "'y.yaml' is one argument too many");
        assertRefused("runs compare x", "needs at least 2 of RUN, found 1");
        assertRefused("train x.yaml --metrics 99999", "--metrics 99999", "65535");
        assertRefused("runs list --run-dir pom.xml", "--run-dir pom.xml", "no folder");
        assertRefused("profile --disk /nowhere/at/all", "--disk /nowhere/at/all", "no such folder");
    }

    private static void assertRefused(String command, String... words) {
        Said said = Said.when(command.split(" "));
        assertThat(said.exitCode()).as(command).isEqualTo(2);
        assertThat(said.err()).as(command).contains(words);
    }

    @Test
    void shouldPrintTheUsersErrorAlone(@TempDir Path folder) throws IOException {
        Path job = Files.writeString(folder.resolve("job.yaml"), "data: {lable: x}\nmodel: mlp\n");
        Said said = Said.when("train", job.toString());
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err())
                .isEqualTo(
                        job
                                + ":1:8: unknown key data.lable; did you mean label?"
                                + System.lineSeparator());
        assertThat(Said.when("train", job.toString(), "--verbose").err())
                .contains("at dev.medley.api.job");
    }

    @Test
    void shouldRefuseContradictingArguments(@TempDir Path folder) {
        assertThat(Said.when("train").err()).contains("needs a job file, data", "or --resume");
        Said resume = Said.when("train", "--resume", "x", "--run-dir", folder.toString());
        assertThat(resume.exitCode()).isEqualTo(2);
        assertThat(resume.err()).contains("no run 'x'").contains("are none yet");
        Said model = Said.when("evaluate", folder.toString(), "data.csv");
        assertThat(model.exitCode()).isEqualTo(2);
        assertThat(model.err()).contains("model.json");
    }

    @Test
    void shouldKeepTheTraceOfABugInALog() throws IOException {
        StringWriter err = new StringWriter();
        Terminal terminal =
                new Terminal(
                        new PrintWriter(new StringWriter()), new PrintWriter(err), Screen.NONE);
        int exitCode =
                new Failures(terminal, "train")
                        .onExecution(new IllegalStateException("a wheel came off"));
        assertThat(exitCode).isEqualTo(1);
        assertThat(err.toString()).startsWith("medley failed: a wheel came off");
        Path log = Path.of(err.toString().strip().replaceFirst("(?s).* ", ""));
        assertThat(Files.readString(log)).contains("IllegalStateException: a wheel came off");
        Files.delete(log);
    }

    @Test
    void shouldDescribeTheModels() {
        Said said = Said.when("models");
        assertThat(said.out())
                .contains("cnn", "channels", "default [32, 64]", "transformer", "heads");
        JsonNode models = Json.parse(Said.when("models", "--json").out(), JsonNode.class);
        assertThat(models.findValuesAsString("family"))
                .contains("linear", "mlp", "cnn", "transformer", "custom");
        JsonNode schema = Json.parse(Said.when("models", "--schema").out(), JsonNode.class);
        assertThat(schema.path("$schema").asString()).contains("2020-12");
    }

    @Test
    void shouldFindThisMachineFit(@TempDir Path folder) {
        Said said = Said.when("doctor", "--json", "--run-dir", folder.toString());
        JsonNode findings = Json.parse(said.out(), JsonNode.class);
        assertThat(findings.findValuesAsString("check"))
                .contains("JDK", "LibTorch", "cores", "memory", "disk", "loopback");
        assertThat(said.exitCode()).isZero();
        Said blocked = Said.when("doctor", "--run-dir", "/proc/nobody/runs");
        assertThat(blocked.exitCode()).isEqualTo(1);
        assertThat(blocked.out()).contains("bad ").contains("--run-dir");
    }

    @Test
    void shouldNameThePublicSets() {
        assertThat(Said.when("data", "get").out()).contains("fashion-mnist", "30.9 MB", "adult");
        Said unknown = Said.when("data", "get", "mnist");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err())
                .contains("mnist: not a data set that Medley knows", "fashion-mnist");
    }

    @Test
    void shouldShowWhatItFetchesAndSayWhatTheServerAnswers(@TempDir Path folder)
            throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        try {
            String mirror = "http://127.0.0.1:" + server.getAddress().getPort() + "/mirror";
            Said said =
                    Said.when(
                            "data",
                            "get",
                            "tiny-shakespeare",
                            "--mirror",
                            mirror,
                            "--to",
                            folder.toString());
            assertThat(said.exitCode()).isEqualTo(2);
            assertThat(said.out()).contains(mirror + "/input.txt  1.1 MB  SHA-256 86c4e6aa9db7");
            assertThat(said.err()).contains("input.txt was not downloaded", "404");
        } finally {
            server.stop(0);
        }
    }
}
