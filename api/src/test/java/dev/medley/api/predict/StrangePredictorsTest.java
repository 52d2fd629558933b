package dev.medley.api.predict;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.Work;
import dev.medley.control.launcher.LocalLauncher;
import dev.medley.control.launcher.WorkerCommand;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Worker processes that predict, and are not what was started. */
@Tag("real")
@Timeout(60)
class StrangePredictorsTest {
    private static final JobSpec OURS =
            new JobSpec(
                    "adult",
                    new Work.Prediction(data().spec(), "nowhere"),
                    ClusterSpec.ofWorkers(1),
                    CheckpointSpec.defaults(),
                    1);

    @Test
    void aWorkerOfAnotherBuildShouldBeRefusedAndBothNamed() {
        assertRefused(
                Map.of(
                        StrangePredictor.BUILD,
                        "0.9",
                        StrangePredictor.JOB,
                        JobIdentity.of(OURS).toString()),
                "worker-1 is Medley 0.9, the coordinator is %s: use one build on all machines"
                        .formatted(Version.build()));
    }

    @Test
    void aWorkerOfAnotherJobShouldBeRefusedAndBothNamed() {
        assertRefused(
                Map.of(StrangePredictor.JOB, "mnist+0b7e44d2"),
                "worker-1 was started for job mnist+0b7e44d2, but what is predicted here is of"
                        + " job %s: start it with that job".formatted(JobIdentity.of(OURS)));
    }

    private void assertRefused(Map<String, String> environment, String expected) {
        assertThatThrownBy(() -> firstBlock(environment))
                .isInstanceOf(ConfigException.class)
                .hasMessage(expected);
    }

    private List<float[]> firstBlock(Map<String, String> environment) {
        WorkerCommand strange =
                new WorkerCommand(
                        StrangePredictor.class.getName(),
                        System.getProperty("java.class.path"),
                        List.of("-XX:TieredStopAtLevel=1"),
                        environment);
        PreparedData data = data();
        try (WorkerGroup workers =
                WorkerGroup.start(
                        OURS,
                        data,
                        1,
                        (job, start, place, logs) -> new LocalLauncher(strange, logs))) {
            return workers.next();
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
