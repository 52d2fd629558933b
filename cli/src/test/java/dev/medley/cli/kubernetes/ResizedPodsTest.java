package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.cluster.TakesMinutes;
import dev.medley.record.entry.RunEvent;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pods are resized in place, by a user or because their flavor is changed. */
@Tag("real")
@TakesMinutes
@Timeout(1200)
class ResizedPodsTest {
    private static final String OF_ONE_CORE =
            "{name: cpu, min: 2, resources: {requests: {memory: 1Gi}, limits: {cpu: 1, memory:"
                    + " 1Gi}}}";

    @TempDir Path folder;

    @Test
    void sharesShouldFollowAResizeThatNobodyUndoes() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            begin(world);
            Pod resized = world.workers("sized").get(0);
            Pod other = world.workers("sized").get(1);
            String patched =
                    ControlPlane.shared()
                            .kubectl(
                                    "patch",
                                    "pod",
                                    name(resized),
                                    "--namespace=" + world.namespace,
                                    "--subresource=resize",
                                    "--patch",
                                    """
                                    {"spec": {"containers": [{"name": "worker", "resources":
                                        {"requests": {"cpu": "2"}, "limits": {"cpu": "2"}}}]}}
                                    """);
            assertThat(patched).contains("patched");
            if (hasQuotas()) {
                world.await(
                        "an event in the run's record",
                        () -> says(world, " may use 2 cores in place of 1"));
            }
            // Whatever makes the operator look at all pods does not make it undo this.
            long writes = world.writes();
            world.flavors("sized", "[" + OF_ONE_CORE.replace("min: 2", "min: 2, max: 3") + "]");
            world.awaitWorkers("sized", 3);
            assertThat(cores(world, resized)).isEqualTo("2");
            assertThat(cores(world, other)).isEqualTo("1");
            assertThat(world.writes()).isGreaterThan(writes);

            // Another size of the flavor is for all, and for pods that come later.
            world.flavors(
                    "sized",
                    "["
                            + OF_ONE_CORE
                                    .replace("min: 2", "min: 2, max: 3")
                                    .replace("cpu: 1,", "cpu: 500m,")
                            + "]");
            world.await(
                    "three small pods",
                    () ->
                            world.workers("sized").stream()
                                    .allMatch(pod -> cores(world, pod).equals("500m")));
            assertThat(world.record("sized").summary().lostWorkers()).isZero();
            world.await(
                    "a status that says so",
                    () ->
                            String.valueOf(world.status("sized").flavors())
                                    .contains(
                                            "pods are made with cpu 1 (limit 1), memory 1Gi (limit"
                                                + " 1Gi), as the Job was, and resized in place to"
                                                + " cpu 0.5 (limit 0.5), memory 1Gi (limit 1Gi)"));
            world.client.resource(other).delete();
            world.await(
                    "another small pod",
                    () ->
                            world.workers("sized").size() == 3
                                    && world.workers("sized").stream()
                                            .noneMatch(pod -> name(pod).equals(name(other)))
                                    && world.workers("sized").stream()
                                            .allMatch(pod -> cores(world, pod).equals("500m")));
            assertThat(uids(world)).contains(resized.getMetadata().getUid());
            assertThat(events(world))
                    .anyMatch(
                            said -> said.matches("Resized: cpu: \\d pods? resized in place to .*"));
        }
    }

    /** What the API server refuses is said, and asked for once. */
    @Test
    void shouldSayWhereNothingCanBeResizedInPlace() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            begin(world);
            world.flavors("sized", "[{name: cpu, min: 2}]");
            world.await(
                    "an event",
                    () -> events(world).stream().anyMatch(s -> s.startsWith("NotResized: cpu: ")));
            String said =
                    events(world).stream()
                            .filter(s -> s.startsWith("NotResized"))
                            .findFirst()
                            .orElseThrow();
            assertThat(said).contains("kubectl delete job sized-cpu");
            world.flavors("sized", "[{name: cpu, min: 2, max: 3}]");
            world.awaitWorkers("sized", 3);
            assertThat(world.status("sized").phase()).hasToString("Running");
        }
    }

    private static void begin(KubernetesWorld world) throws Exception {
        world.create(
                "sized",
                """
                data: {train: %s, label: label}
                model: {family: mlp, hidden: [64, 64]}
                train: {epochs: 1000000, batch: 240}
                """
                        .formatted(world.table(2400)),
                "runs: {claim: runs}\nflavors: [" + OF_ONE_CORE + "]");
        world.awaitWorkers("sized", 2);
    }

    private static boolean says(KubernetesWorld world, String words) {
        return world.record("sized").events().stream()
                .map(RunEvent::message)
                .anyMatch(message -> message.contains(words));
    }

    /** Where the kubelet of the tests may make control groups; else only objects are looked at. */
    private static boolean hasQuotas() throws IOException {
        return Files.isWritable(Path.of("/sys/fs/cgroup/cpu"))
                || Files.isWritable(Path.of("/sys/fs/cgroup/cgroup.procs"));
    }

    private static String cores(KubernetesWorld world, Pod pod) {
        return String.valueOf(
                world.client
                        .resource(pod)
                        .require()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getResources()
                        .getLimits()
                        .get("cpu"));
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getName();
    }

    private static List<String> uids(KubernetesWorld world) {
        return world.workers("sized").stream().map(pod -> pod.getMetadata().getUid()).toList();
    }

    private static List<String> events(KubernetesWorld world) {
        return world.client.v1().events().inNamespace(world.namespace).list().getItems().stream()
                .map(event -> event.getReason() + ": " + event.getMessage())
                .toList();
    }
}
