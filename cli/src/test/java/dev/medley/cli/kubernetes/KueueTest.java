package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.cluster.ForeignController;
import dev.medley.kubernetes.cluster.Kueue;
import dev.medley.kubernetes.cluster.TakesMinutes;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job takes the quota that is idle, and gives it back when another job waits for it. */
@Tag("real")
@TakesMinutes
@Timeout(1200)
class KueueTest {
    private static ControlPlane plane;
    private static ForeignController kueue;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.shared();
        kueue = Kueue.start(plane);
    }

    @AfterAll
    static void stop() throws Exception {
        if (kueue != null) {
            kueue.close();
        }
    }

    @Test
    void shouldFillIdleQuotaAndGiveItBack() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            // Five workers of a core each, or two jobs of two with their coordinators.
            Kueue.queue(plane, world.namespace, "5500m");
            String spec =
                    """
                    queue: team
                    runs: {claim: runs}
                    coordinator: {resources: {requests: {cpu: 500m}}}
                    flavors: [{name: cpu, min: %d, max: 8, resources: {requests: {cpu: 1}}}]
                    """;
            String file =
                    """
                    data: {train: %s, label: label}
                    model: {family: mlp, hidden: [64, 64]}
                    train: {epochs: %d, batch: 240}
                    cluster: {threads: 1}
                    """;
            Path table = world.table(2400);
            // One that no queue has, and one that its queue can never have: both keep nobody
            // waiting.
            world.create("lost", file.formatted(table, 1), "queue: gone\nflavors: [{name: cpu}]");
            world.create(
                    "huge",
                    file.formatted(table, 1),
                    """
                    queue: team
                    coordinator: {resources: {requests: {cpu: 100}}}
                    flavors: [{name: cpu, resources: {requests: {cpu: 100}}}]
                    """);
            says(world, "lost", "there is no LocalQueue gone in namespace " + world.namespace);
            says(world, "huge", "waits for quota of queue team: ");

            world.create("first", file.formatted(table, 100000), spec.formatted(1));
            world.awaitWorkers("first", 5);
            assertThat(world.status("first").flavors().get(0).why()).contains("of its best rate");

            world.create("second", file.formatted(table, 3), spec.formatted(2));
            world.await("second", JobPhaseName.Completed);
            world.awaitWorkers("first", 5);
            assertThat(world.record("first").summary().lostWorkers()).isZero();
            assertThat(world.record("first").summary().repeatedSteps()).isZero();
            KubernetesWorld.requireEverySample(world.record("first"), 240);
        }
    }

    /** What goes first takes its quota; the job waits for its least, and goes on with its run. */
    @Test
    void shouldComeBackWithItsLeastWhenItWasPreempted() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            Kueue.queue(plane, world.namespace, "4500m");
            world.create(
                    "low",
                    """
                    data: {train: %s, label: label}
                    model: {family: mlp, hidden: [64, 64]}
                    train: {epochs: 100000, batch: 240}
                    cluster: {threads: 1}
                    """
                            .formatted(world.table(2400)),
                    """
                    queue: team
                    runs: {claim: runs}
                    coordinator: {resources: {requests: {cpu: 500m}}}
                    flavors: [{name: cpu, min: 1, max: 8, resources: {requests: {cpu: 1}}}]
                    """);
            world.awaitWorkers("low", 4);
            Job urgent = world.waitingPod("urgent", "4", "urgent");
            world.await(
                    "low to wait for its least",
                    () -> {
                        JobSpec workers = world.batchJob("low-cpu").getSpec();
                        return Boolean.TRUE.equals(workers.getSuspend())
                                && workers.getParallelism() == 1;
                    });
            says(world, "low", "waits for quota of queue team");
            world.client.resource(urgent).delete();
            world.awaitWorkers("low", 4);
        }
    }

    /** Each has its coordinator, and there is no room for both jobs' workers: one goes first. */
    @Test
    void shouldTrainTwoJobsOneAfterTheOtherWhereQuotaIsForOne() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            Kueue.queue(plane, world.namespace, "2500m");
            Job other = world.waitingPod("other", "1500m", "");
            world.await("quota of another", () -> !world.batchJob("other").getSpec().getSuspend());
            String file =
                    """
                    data: {train: %s, label: label}
                    model: linear
                    train: {epochs: 3, batch: 240}
                    """
                            .formatted(world.table(2400));
            String spec =
                    """
                    queue: team
                    runs: {claim: runs}
                    coordinator: {resources: {requests: {cpu: 500m}}}
                    flavors: [{name: cpu, min: 2, resources: {requests: {cpu: 1}}}]
                    """;
            world.create("first", file, spec);
            world.create("second", file, spec);
            says(world, "second", "/first comes first");
            world.client.resource(other).delete();
            world.await("first", JobPhaseName.Completed);
            world.await("second", JobPhaseName.Completed);
        }
    }

    private static void says(KubernetesWorld world, String job, String what) throws Exception {
        world.await(
                job + " to say: " + what,
                () -> String.valueOf(world.status(job).message()).contains(what));
    }
}
