package dev.medley.api.predict;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import dev.medley.base.job.ClassSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.control.launcher.LocalLauncher;
import dev.medley.control.launcher.WorkerCommand;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Worker processes that predict, and are not what was started. */
@Tag("real")
@Timeout(60)
class StrangePredictorsTest {
    private static final JobIdentity OURS = new JobIdentity("adult", "5f0c2a91");

    @TempDir private Path folder;

    @Test
    void aWorkerOfAnotherBuildShouldBeRefusedAndBothNamed() {
        assertRefused(
                Map.of(StrangePredictor.BUILD, "0.9", StrangePredictor.JOB, OURS.toString()),
                "worker-1 is Medley 0.9, the coordinator is %s: use one build on all machines"
                        .formatted(Version.build()));
    }

    @Test
    void aWorkerOfAnotherJobShouldBeRefusedAndBothNamed() {
        assertRefused(
                Map.of(StrangePredictor.JOB, "mnist+0b7e44d2"),
                "worker-1 was started for job mnist+0b7e44d2, but what is predicted here is of"
                        + " job adult+5f0c2a91: start it with that job");
    }

    private void assertRefused(Map<String, String> environment, String expected) {
        assertThatThrownBy(() -> firstBlock(environment))
                .hasCauseInstanceOf(ConfigException.class)
                .cause()
                .hasMessage(expected);
    }

    private List<float[]> firstBlock(Map<String, String> environment) throws Exception {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        WorkerCommand strange =
                new WorkerCommand(
                        StrangePredictor.class.getName(),
                        System.getProperty("java.class.path"),
                        List.of("-XX:TieredStopAtLevel=1"),
                        environment);
        PredictionTask nothing = new PredictionTask("nowhere", data(), 1);
        try (WorkerProcesses workers =
                WorkerProcesses.start(
                        new LocalLauncher(strange, logs),
                        logs,
                        OURS,
                        nothing,
                        new PredictOptions(1, 1))) {
            Future<List<float[]>> block = workers.begin(0, 1);
            return block.get(30, TimeUnit.SECONDS);
        }
    }

    /** Nobody comes to read it. */
    private static PreparedData data() {
        Signature signature = new Signature(List.of(), new Target(TargetKind.VALUE, 1, List.of()));
        ShardFile samples = ShardFile.ofRecords("samples", 4, 1);
        return new PreparedData(
                PreparedData.VERSION,
                "data",
                JobFile.parse(
                                "job.yaml",
                                "data: {train: a.csv}\nmodel: mlp\n",
                                Path.of("/x"),
                                List.of())
                        .spec()
                        .data(),
                DataFormat.CSV,
                1,
                "hash",
                new Ingested(
                        new CustomEncoding(new ClassSpec("Source", Map.of()), signature),
                        samples,
                        samples,
                        new Ingested.Findings(0, true, List.of(), List.of())));
    }
}
