package dev.medley.tenant.read;

import static dev.medley.tenant.read.SharedTables.CANARY;
import static dev.medley.tenant.read.SharedTables.caller;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.medley.api.agent.InProcessWorkers;
import dev.medley.api.job.JobFile;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.record.entry.RunStatus;
import dev.medley.tenant.TenantCaller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trains on what a caller sees of a shared table, and on a copy that never held anything else. */
@Tag("real")
@Timeout(240)
class TrainedAsTenantTest {
    private static final TenantCaller ALICE = caller("alice", "tenant", "a");
    private static final String ROWS =
            """
            SELECT i AS id, CASE WHEN i %% 3 = 0 THEN 'a' ELSE 'b' END AS tenant,
              CASE WHEN i %% 3 = 0 THEN 'kind' || i %% 4 ELSE '%1$s-' || i %% 5 END AS kind,
              '%1$s' || i AS email, hash(i) %% 1000 / 10.0 AS x, hash(i + 7) %% 100 AS y,
              CASE WHEN hash(i) %% 1000 + 5 * (i %% 4) > 500 THEN 'yes' ELSE 'no' END AS churned
            FROM range(600) r(i)\
            """
                    .formatted(CANARY);

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model: {family: boosting, rounds: 10, depth: 3}",
                "model: {family: mlp, hidden: [8]}\ntrain: {epochs: 3, batch: 32}"
            })
    void shouldTrainTheModelThatTheCallersOwnRowsGive(String job) throws Exception {
        SharedTables shared = new SharedTables(folder).parquet("t", ROWS);
        TenantTables tables =
                shared.open(
                        "t: {files: data/t.parquet, rows: row.tenant == caller.tenant, masks:"
                                + " [{columns: email, with: drop}]}",
                        "alice: {attributes: {tenant: a}}");
        Path extract = folder.resolve("extract/t.parquet");
        tables.extract(ALICE, "t", ExtractFormat.PARQUET, extract);
        new SharedTables(Files.createDirectories(folder.resolve("own")))
                .parquet(
                        "t",
                        "SELECT * EXCLUDE (email) FROM (%s) WHERE tenant = 'a'".formatted(ROWS));
        Path asTenant = trained(job, extract);
        Path ofOwn = trained(job, folder.resolve("own/data/t.parquet"));
        List<Path> weights = parts(asTenant);
        assertFalse(weights.isEmpty());
        for (Path part : weights) {
            Path other = ofOwn.resolve(asTenant.relativize(part));
            assertEquals(-1, Files.mismatch(part, other), () -> part.getFileName() + " differs");
        }
        assertFalse(holdsCanary(folder.resolve("runs")), "a run holds values of another tenant");
    }

    private Path trained(String job, Path rows) throws IOException {
        String text = "name: churn\ndata: {train: %s, label: churned}\n%s\n".formatted(rows, job);
        JobFile file = JobFile.parse("job.yaml", text, folder, List.of());
        Path runs = Files.createDirectories(folder.resolve("runs"));
        RunOptions options = RunOptions.in(runs).startingWorkers(new InProcessWorkers());
        RunResult result = JobRun.train(file.spec(), options, new RunProgress() {});
        assertEquals(RunStatus.DONE, result.summary().state());
        return result.folder().model();
    }

    /** The files of a model that hold what was learnt. */
    private static List<Path> parts(Path model) throws IOException {
        try (Stream<Path> files = Files.walk(model)) {
            return files.filter(
                            f ->
                                    f.toString().endsWith(".safetensors")
                                            || f.toString().endsWith(".ubj"))
                    .toList();
        }
    }

    private static boolean holdsCanary(Path place) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                if (bytes.contains(CANARY)) {
                    return true;
                }
            }
        }
        return false;
    }
}
