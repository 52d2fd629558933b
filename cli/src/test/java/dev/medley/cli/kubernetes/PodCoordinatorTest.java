package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Screen;
import dev.medley.cli.terminal.Terminal;
import dev.medley.kubernetes.run.OwnRun;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With which exit code a coordinator's pod ends, and how long it waits for workers. */
@Tag("unit")
class PodCoordinatorTest {
    private static final long YEAR_NS = 365L * 86_400 * 1_000_000_000;

    @TempDir Path folder;

    private final StringWriter said = new StringWriter();

    private int run(JobSpec job) {
        Terminal terminal = new Terminal(new PrintWriter(said), new PrintWriter(said), Screen.NONE);
        return new PodCoordinator(terminal, own("u-1"), List.of()).run(() -> job);
    }

    private OwnRun own(String uid) {
        return new OwnRun(folder.resolve("runs"), "MedleyJob team/churn", uid);
    }

    /** A run of which nothing is known but who made it. */
    private Path begun() throws Exception {
        Path run = Files.createDirectories(folder.resolve("runs/0001"));
        RunProcess process = RunProcess.self();
        RunIdentity identity = new RunIdentity("churn", 1, "medley train", "1", process);
        Files.write(run.resolve("run.json"), Json.bytes(identity));
        return run;
    }

    private JobSpec job(String cluster, String... overrides) throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("job.yaml"),
                        "data: {train: /nowhere/t.csv, label: y}\nmodel: linear\n" + cluster);
        Path expect = Files.writeString(folder.resolve("expect"), "2\n");
        return PodJobFile.read(
                file, expect, "127.0.0.1:0", folder.resolve("join"), List.of(overrides));
    }

    private long patienceNs(String cluster, String... overrides) throws Exception {
        return Objects.requireNonNull(job(cluster, overrides).cluster().join()).timeoutNs();
    }

    @Test
    void shouldWaitForQuotaAndNodesAsLongAsTheJobIsThere() throws Exception {
        assertThat(patienceNs("")).isEqualTo(YEAR_NS);
        assertThat(patienceNs("cluster: {join_timeout: 10m}")).isEqualTo(600_000_000_000L);
        assertThat(patienceNs("", "cluster.join_timeout=7s")).isEqualTo(7_000_000_000L);
    }

    @Test
    void shouldRefuseInputThatWasNeverGood() throws Exception {
        JobSpec job = job("");
        assertThatThrownBy(() -> run(job))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("join is no folder");
    }

    /** A run is kept seconds before its coordinator says that it is its own. */
    @Test
    void shouldGoOnWithARunThatItWasKilledBeforeItTook() throws Exception {
        JobSpec job = job("", "checkpoint.store=file://" + folder.resolve("store"));
        for (String place : List.of("store/0001", "runs/0001")) {
            Files.createDirectories(folder.resolve(place));
            Files.writeString(folder.resolve(place + "/run.json"), "{}");
        }
        OwnRun own = own("u-1");
        assertThat(PodRunStore.bring(job, own)).hasValue(RunFolder.at(folder.resolve("runs/0001")));
        assertThat(folder.resolve("runs/owner.json")).content().contains("0001");
    }

    /** Its volume comes back, its other process ends: the next pod may do better. */
    @Test
    void shouldTryAgainWhereARunThatIsThereCannotGoOnNow() throws Exception {
        JobSpec job = job("");
        Files.createDirectories(folder.resolve("runs/0001"));
        Files.writeString(
                folder.resolve("runs/owner.json"), "{\"uid\": \"u-1\", \"run\": \"0001\"}");
        assertThat(run(job)).isEqualTo(ExitCode.UNEXPECTED);
        assertThat(said.toString()).contains("cannot go on now and is tried again");
    }

    /** A job that was deleted began the run; who computes may differ, and nothing else. */
    @Test
    void shouldNotGoOnByAnotherJobFile() throws Exception {
        Path run = begun();
        own("u-0").take(RunFolder.at(run), job("train: {epochs: 3}"));
        JobSpec job = job("train: {epochs: 5}\n");
        assertThat(run(job)).isEqualTo(ExitCode.INPUT);
        assertThat(said.toString())
                .contains(
                        "run 0001 in " + folder.resolve("runs"),
                        "begun with another job file (train.epochs was 3.0 and is 5.0)");
        JobSpec same = job("train: {epochs: 3}\ncluster: {threads: 2}\n");
        assertThat(own("u-1").changed(same)).isEmpty();
        own("u-1").take(RunFolder.at(run), job);
        assertThat(own("u-2").changed(same)).isEmpty();
        assertThat(own("u-2").changed(job)).isPresent();
    }

    /** As in two namespaces over one network drive. */
    @Test
    void shouldRefuseAFolderOfAnotherJobThatIsNotDone() throws Exception {
        Path runs = folder.resolve("runs");
        Path run = begun();
        JobSpec job = job("");
        new OwnRun(runs, "TrainJob other/churn", "u-0").take(RunFolder.at(run), job);
        assertThat(run(job)).isEqualTo(ExitCode.INPUT);
        assertThat(said.toString())
                .contains(runs + " belongs to TrainJob other/churn, whose run 0001 is not done");
    }
}
