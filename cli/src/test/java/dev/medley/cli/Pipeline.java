package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.agent.InProcessWorkers;
import dev.medley.api.job.JobFile;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.Json;
import dev.medley.record.entry.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Data, jobs and runs in one folder, all of it through the command line. */
public record Pipeline(Path folder) {
    /** Of the table of {@link #table}. */
    public static final int ROWS = 6_000;

    /** A table whose label follows from x; rows have their number. */
    public Path table() throws IOException {
        StringBuilder rows = new StringBuilder("id,x,c,y\n");
        for (int i = 0; i < ROWS; i++) {
            int x = (i * 37 + i / 7) % 100;
            rows.append(
                    "%d,%d,%s,%s\n".formatted(i, x, "abc".charAt(i % 3), x < 50 ? "no" : "yes"));
        }
        return Files.writeString(folder.resolve("table.csv"), rows);
    }

    /** A job file. */
    public String job(String name, String yaml) throws IOException {
        return Files.writeString(folder.resolve(name), yaml).toString();
    }

    /** Runs a command on the runs of this folder. */
    public Said medley(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--run-dir", folder.resolve("runs").toString()));
        return Said.when(all.toArray(String[]::new));
    }

    /** Trains a job whose training is not what is tried: its workers are threads here. */
    public void trained(String job) {
        RunOptions options =
                RunOptions.in(folder.resolve("runs")).startingWorkers(new InProcessWorkers());
        RunResult result =
                JobRun.train(
                        JobFile.read(Path.of(job), List.of()).spec(), options, RunProgress.NONE);
        assertThat(result.summary().state())
                .as(result.summary().message())
                .isEqualTo(RunStatus.DONE);
    }

    /** What {@code data describe} says of a file as JSON. */
    public JsonNode describe(String... file) {
        List<String> all = new ArrayList<>(List.of("data", "describe", "--json"));
        all.addAll(List.of(file));
        Said said = Said.when(all.toArray(String[]::new));
        assertThat(said.exitCode()).as(said.err()).isZero();
        return Json.parse(said.out(), JsonNode.class);
    }

    /** What a command that succeeds says as JSON. */
    public JsonNode json(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.add("--json");
        Said said = medley(all.toArray(String[]::new));
        assertThat(said.exitCode()).as(said.err()).isZero();
        return Json.parse(said.out(), JsonNode.class);
    }
}
