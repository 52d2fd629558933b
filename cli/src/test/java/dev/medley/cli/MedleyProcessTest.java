package dev.medley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a shell sees it: a process with an exit code and signals. */
@Tag("real")
@Timeout(120)
class MedleyProcessTest {
    @TempDir private Path folder;

    private Process start(String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(ClassArchive.options(System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        return builder.redirectErrorStream(true).start();
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void shouldSayItsVersion() throws Exception {
        Process process = start("--version");
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .startsWith("medley ");
        assertThat(exitCode(process)).isZero();
    }

    @Test
    void shouldExitWithTwoForTheUsersInput() throws Exception {
        Process process = start("train", "nowhere.yaml");
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .startsWith("nowhere.yaml: there is no such file")
                .doesNotContain("\tat ");
        assertThat(exitCode(process)).isEqualTo(2);
    }

    @Test
    void shouldFinishTheStepWhenInterruptedAndGoOnWhenResumed() throws Exception {
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 400; i++) {
            rows.append(i % 7).append(',').append(i % 11).append(',').append(i % 2).append('\n');
        }
        Files.writeString(folder.resolve("t.csv"), rows);
        Files.writeString(
                folder.resolve("job.yaml"),
                "data: {train: t.csv, label: y}\nmodel: linear\n"
                        + "train: {steps: 100000000, batch: 32, evaluate_every: 5}\ncluster: 1\n");
        List<String> lines = interrupted("train", "job.yaml");
        assertThat(lines).anyMatch(l -> l.startsWith("Finishing the step and saving"));
        assertThat(lines).anyMatch(l -> l.startsWith("Interrupted after step "));
        assertThat(lines).anyMatch(l -> l.startsWith("Resume  medley train --resume "));
        RunFolder run = RunFolder.find(folder.resolve("runs"), "latest");
        RunSummary summary = RunRecord.summary(run);
        assertThat(summary.state()).isEqualTo(RunStatus.INTERRUPTED);
        assertThat(run.report()).exists();
        interrupted("train", "--resume", "latest");
        assertThat(RunRecord.summary(run).steps()).isGreaterThan(summary.steps());
    }

    /** What a command says that is interrupted as soon as it has evaluated. */
    private List<String> interrupted(String... args) throws Exception {
        Process process = start(args);
        List<String> lines = new ArrayList<>();
        boolean isInterrupted = false;
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                if (line.contains("validation  ") && !isInterrupted) {
                    isInterrupted = true;
                    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
                }
            }
        }
        assertThat(exitCode(process)).as(String.join("\n", lines)).isEqualTo(130);
        return lines;
    }
}
