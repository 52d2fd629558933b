package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.kubernetes.cluster.TakesMinutes;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real workers train under a real scheduler and Job controller. */
@Tag("real")
@Timeout(1200)
class KubernetesTrainingTest {
    @TempDir Path folder;

    /** As a user would: what the command prints is applied, and a job is created. */
    @Test
    void shouldTrainAJobToItsEndByTheInstalledOperator() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.withoutOperator(folder)) {
            world.install();
            Path table = world.table(600);
            world.create(
                    "adult",
                    """
                    data: {train: %s, label: label}
                    model: linear
                    train: {epochs: 3, batch: 20}
                    """
                            .formatted(table),
                    """
                    runs: {claim: runs}
                    flavors: [{name: cpu, min: 2}]
                    """);
            world.await("adult", JobPhaseName.Completed);
            RunFolder run = RunFolder.find(world.runs("adult"), "latest");
            assertThat(RunRecord.summary(run).state()).isEqualTo(RunStatus.DONE);
            assertThat(RunRecord.summary(run).samples()).isEqualTo(3 * 540);
            world.await("the workers' end", () -> world.workers("adult").isEmpty());
            world.uninstall();
        }
    }

    /**
     * The command creates the job, follows it, and ends as it does. One machine that repeats the
     * plans has the same model, bit for bit.
     */
    @Test
    void shouldTrainByTheCommandAsOneMachineDoes() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            world.claim("data");
            Path data = world.claimed("data");
            Files.move(world.table(600), data.resolve("table.csv"));
            Path job =
                    Files.writeString(
                            folder.resolve("churn.yaml"),
                            """
                            data: {train: %s/table.csv, label: label}
                            model: {family: mlp, hidden: [64, 64]}
                            train: {epochs: 3, batch: 20}
                            cluster: {workers: 2}
                            """
                                    .formatted(data));
            List<String> words =
                    new ArrayList<>(
                            List.of("train", job.toString(), "--on", "kubernetes", "--namespace"));
            words.addAll(List.of(world.namespace, "--flavor", "cpu,min=2,cpu=1"));
            words.addAll(List.of("--runs-volume", "runs"));
            KubernetesWorld.Answer unseen = world.command(words.toArray(String[]::new));
            assertThat(unseen.code()).isEqualTo(2);
            assertThat(unseen.said()).contains("pods do not see " + data, "--volume CLAIM:/PATH");
            words.addAll(List.of("--volume", "data:" + data, "-s", "train.epochs=2"));
            KubernetesWorld.Answer done = world.command(words.toArray(String[]::new));
            assertThat(done.said()).contains("is created", "Completed: ");
            assertThat(done.code()).isZero();
            assertThat(world.record("churn").summary().samples()).isEqualTo(2 * 540);
            RunFolder run = RunFolder.find(world.runs("churn"), "latest");
            List<String> here = new ArrayList<>(List.of("train", job.toString()));
            here.addAll(List.of("-s", "train.epochs=2", "--replay", run.path().toString()));
            here.addAll(List.of("--run-dir", folder.resolve("here").toString()));
            KubernetesWorld.Answer repeated = world.command(here.toArray(String[]::new));
            assertThat(repeated.code()).as(repeated.said()).isZero();
            RunFolder ofOne = RunFolder.find(folder.resolve("here"), "latest");
            assertThat(RunRecord.read(ofOne).summary().samples()).isEqualTo(2 * 540);
            assertThat(weights(ofOne)).isEqualTo(weights(run));
            KubernetesWorld.Answer again = world.command(words.toArray(String[]::new));
            assertThat(again.code()).isEqualTo(2);
            assertThat(again.said()).contains("is there already", "kubectl delete mj");
        }
    }

    /** Two workers become eight and then three, a pod is deleted, the coordinator is killed. */
    @Test
    @TakesMinutes
    void shouldGrowShrinkAndGoOnWithoutLosingASample() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            world.create(
                    "elastic",
                    """
                    data: {train: %s, label: label}
                    model: {family: mlp, hidden: [64, 64]}
                    train: {epochs: 100000, batch: 240}
                    cluster: {threads: 1}
                    checkpoint: {every_steps: 50}
                    """
                            .formatted(world.table(2400)),
                    """
                    runs: {claim: runs}
                    flavors: [{name: cpu, min: 2}]
                    """);
            world.awaitWorkers("elastic", 2);
            Lease lease =
                    world.client
                            .leases()
                            .inNamespace(world.namespace)
                            .withName("elastic")
                            .require();
            assertThat(lease.getMetadata().getOwnerReferences())
                    .as("it goes with its job")
                    .extracting(OwnerReference::getUid)
                    .containsExactly(world.job("elastic").getMetadata().getUid());
            world.flavors("elastic", "[{name: cpu, min: 2, max: 8}]");
            world.awaitWorkers("elastic", 8);
            world.flavors("elastic", "[{name: cpu, min: 2, max: 3}]");
            world.awaitWorkers("elastic", 3);
            world.await("three pods", () -> world.workers("elastic").size() == 3);
            assertThat(world.record("elastic").summary().lostWorkers()).isZero();
            assertThat(world.record("elastic").summary().repeatedSteps()).isZero();
            Set<String> sites =
                    world.record("elastic").plans().stream()
                            .flatMap(plan -> plan.sites().stream())
                            .collect(Collectors.toSet());
            assertThat(sites).containsExactlyInAnyOrder("east", "west");

            Pod first = world.workers("elastic").get(0);
            int known = world.record("elastic").workers().size();
            world.client.resource(first).delete();
            world.await("another pod", () -> world.record("elastic").workers().size() > known);
            world.awaitWorkers("elastic", 3);

            long before = world.record("elastic").summary().steps();
            world.client.resource(world.coordinator("elastic")).withGracePeriod(0).delete();
            world.await(
                    "the run going on",
                    () -> world.record("elastic").summary().steps() > before + 10);
            world.awaitWorkers("elastic", 3);
            assertThat(RunFolder.list(world.runs("elastic"))).hasSize(1);

            world.suspend("elastic", "true");
            world.await("elastic", JobPhaseName.Suspended);
            world.await("no pod", () -> world.pods("elastic").isEmpty());
            long kept = world.record("elastic").summary().steps();
            world.suspend("elastic", "false");
            world.await(
                    "the run going on",
                    () -> world.record("elastic").summary().steps() > kept + 10);
            KubernetesWorld.requireEverySample(world.record("elastic"), 240);
        }
    }

    private static byte[] weights(RunFolder run) throws IOException {
        return Files.readAllBytes(run.model().resolve("weights.safetensors"));
    }
}
