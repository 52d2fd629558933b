package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.kubernetes.cluster.TakesMinutes;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import dev.medley.record.folder.RunFolder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be run is said once, where a platform engineer looks. */
@Tag("real")
@TakesMinutes
@Timeout(1200)
class KubernetesTroubleTest {
    @TempDir Path folder;

    @Test
    void shouldSayWhyAJobDoesNotRun() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            String file = "data: {train: /nowhere/t.csv, label: y}\nmodel: linear\n";
            world.create(
                    "odd", file, "volumes: [{name: v, ephemeral: [1]}]\nflavors: [{name: cpu}]");
            says(world, "odd", JobPhaseName.Refused, "spec.volumes.0.ephemeral cannot be read");
            world.create("bad-file", "modle: mlp", "flavors: [{name: cpu}]");
            world.create("no-image", file, "image: missing:1\nflavors: [{name: cpu}]");
            world.create("no-java", file, "image: nojava:1\nflavors: [{name: cpu}]");
            world.create(
                    "no-room",
                    file,
                    "coordinator: {resources: {requests: {cpu: 500}}}\nflavors: [{name: cpu}]");
            world.create("no-volume", file, "runs: {claim: gone}\nflavors: [{name: cpu}]");
            world.create(
                    "no-map",
                    file,
                    """
                    volumes: [{name: v, configMap: {name: gone}}]
                    mounts: [{name: v, mountPath: /x}]
                    flavors: [{name: cpu}]
                    """);
            world.create("no-data", file, "flavors: [{name: cpu}]");

            says(world, "bad-file", JobPhaseName.Refused, "bad-file.yaml:1:1: unknown key modle");
            says(world, "no-image", JobPhaseName.Pending, "image missing:1 cannot be fetched");
            says(world, "no-java", JobPhaseName.Failed, "medley cannot be started in pod");
            says(world, "no-room", JobPhaseName.Pending, "no node takes pod no-room-coordinator");
            says(world, "no-volume", JobPhaseName.Pending, "persistentvolumeclaim \"gone\" not");
            says(world, "no-map", JobPhaseName.Pending, "configmap \"gone\" not found");
            says(world, "no-data", JobPhaseName.Failed, "/nowhere/t.csv");
            assertThat(world.pods("bad-file")).isEmpty();
            world.create(
                    "no-mount",
                    file,
                    "mounts: [{name: gone, mountPath: /x}]\nflavors: [{name: cpu}]");
            says(world, "no-mount", JobPhaseName.Refused, "volumeMounts");

            String events =
                    world
                            .client
                            .v1()
                            .events()
                            .inNamespace(world.namespace)
                            .list()
                            .getItems()
                            .stream()
                            .map(event -> event.getReason() + ": " + event.getMessage())
                            .toList()
                            .toString();
            assertThat(events)
                    .contains("Refused: spec.job: bad-file.yaml:1:1")
                    .contains("Pending: image missing:1 cannot be fetched");
        }
    }

    /** The Job that makes no pod says nothing of it: its events do. */
    @Test
    void shouldSayThatTheQuotaOfTheNamespaceIsTooSmall() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            String file = "data: {train: /nowhere/t.csv, label: y}\nmodel: linear\n";
            var unused =
                    world.client
                            .resource(
                                    """
                                    apiVersion: v1
                                    kind: ResourceQuota
                                    metadata: {name: small, namespace: %s}
                                    spec: {hard: {requests.memory: 1}}
                                    """
                                            .formatted(world.namespace))
                            .create();
            world.create(
                    "no-quota",
                    file,
                    """
                    coordinator: {resources: {requests: {memory: 1Gi}}}
                    flavors: [{name: cpu}]
                    """);
            says(world, "no-quota", JobPhaseName.Pending, "exceeded quota: small");
        }
    }

    /** Rights that are missing are named; a job goes on when they are there. */
    @Test
    void shouldSayWhichRightIsMissing() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.withoutOperator(folder)) {
            world.startOperatorWith(
                    """
                    - {apiGroups: [medley.dev], resources: [medleyjobs, medleyjobs/status], verbs: ["*"]}
                    - {apiGroups: [medley.dev], resources: [medleyjobs/finalizers], verbs: [update]}
                    - {apiGroups: ["", networking.k8s.io], resources: ["*"], verbs: ["*"]}
                    - {apiGroups: [rbac.authorization.k8s.io], resources: ["*"], verbs: ["*"]}
                    - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: ["*"]}
                    - {apiGroups: [batch], resources: [jobs], verbs: [get, list, watch]}
                    """);
            world.create("no-right", "data: t.csv\nmodel: linear\n", "flavors: [{name: cpu}]");
            says(
                    world,
                    "no-right",
                    JobPhaseName.Refused,
                    "cannot create resource \"jobs\" in API group \"batch\"");
        }
    }

    /** A run that is not done is gone on with by the file with which it began, and by no other. */
    @Test
    void shouldNotGoOnWithARunByAChangedJobFile() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            String file =
                    """
                    data: {train: %s, label: label}
                    model: linear
                    train: {epochs: 1000000, batch: %d}
                    """;
            Path table = world.table(2400);
            String spec = "runs: {claim: runs}\nflavors: [{name: cpu}]";
            world.create("churn", file.formatted(table, 240), spec);
            world.awaitWorkers("churn", 1);
            world.delete("churn");
            world.create("churn", file.formatted(table, 120), spec);
            says(
                    world,
                    "churn",
                    JobPhaseName.Failed,
                    "was begun with another job file (train.batch was 240 and is 120)");
            world.delete("churn");
            long before = world.record("churn").summary().steps();
            world.create("churn", file.formatted(table, 240), spec);
            world.await("the run going on", () -> world.record("churn").summary().steps() > before);
            assertThat(RunFolder.list(world.runs("churn"))).hasSize(1);
        }
    }

    /** A namespace that is deleted takes its jobs along, and one of the same name begins anew. */
    @Test
    void shouldBeginAnewInANamespaceThatWasDeleted() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            String file = "data: {train: /nowhere/t.csv, label: y}\nmodel: linear\n";
            world.create("first", file, "flavors: [{name: cpu}]");
            says(world, "first", JobPhaseName.Failed, "/nowhere/t.csv");
            world.renewNamespace();
            world.create("second", file, "flavors: [{name: cpu}]");
            says(world, "second", JobPhaseName.Failed, "/nowhere/t.csv");
        }
    }

    /** A job of a deleted one's name begins anew, and nobody's own volume is taken over. */
    @Test
    void shouldTakeOverNothingThatIsNotItsOwn() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            String file = "data: {train: /nowhere/t.csv, label: y}\nmodel: linear\n";
            world.create("again", file, "flavors: [{name: cpu}]");
            says(world, "again", JobPhaseName.Failed, "/nowhere/t.csv");
            var role = world.client.rbac().roles().inNamespace(world.namespace);
            role.withName("medley-coordinator").delete();
            world.client.resource(world.job("again")).delete();
            world.create("again", file, "flavors: [{name: cpu}]");
            says(world, "again", JobPhaseName.Failed, "/nowhere/t.csv");
            assertThat(world.batchJob("again-coordinator").getMetadata().getOwnerReferences())
                    .singleElement()
                    .extracting(OwnerReference::getUid)
                    .isEqualTo(world.job("again").getMetadata().getUid());
            assertThat(role.withName("medley-coordinator").get()).isNotNull();

            world.claim("own-runs");
            world.create("own", file, "runs: {size: 1Gi}\nflavors: [{name: cpu}]");
            says(
                    world,
                    "own",
                    JobPhaseName.Refused,
                    "PersistentVolumeClaim own-runs was not made for this job");
        }
    }

    private static void says(KubernetesWorld world, String job, JobPhaseName phase, String what)
            throws Exception {
        world.await(
                job + " to be " + phase + ": " + what,
                () -> {
                    MedleyJobStatus status = world.status(job);
                    return status.phase() == phase
                            && String.valueOf(status.message()).contains(what);
                });
    }
}
