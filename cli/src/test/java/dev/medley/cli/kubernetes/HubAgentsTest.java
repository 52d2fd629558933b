package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.install.HubAgents;
import dev.medley.net.certs.ClusterFolder;
import dev.medley.net.tls.JoinCredentials;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pods stay with a hub as machines of its fleet, and leave when their number is lowered. */
@Tag("real")
@Timeout(1200)
class HubAgentsTest {
    private static final String HUB =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: hub, namespace: %1$s}
            spec:
              restartPolicy: Never
              hostname: hub
              subdomain: fleet
              containers:
              - name: hub
                image: medley:test
                command: [medley, hub, --listen, "$(POD_IP):7070", --credentials, %2$s/hub, --folder, %3$s]
                env:
                - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
            """;

    @TempDir Path folder;

    @Test
    void shouldBeMachinesOfAHub() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        try (KubernetesWorld world = KubernetesWorld.withoutOperator(folder)) {
            Path certs = folder.resolve("certs");
            var unused = new ClusterFolder(certs, Clock.system()).make(List.of("hub", "pods"), 9);
            Path journal = folder.resolve("hub");
            plane.apply(HUB.formatted(world.namespace, certs, journal));
            String at = "hub.fleet.%s.svc:7070".formatted(world.namespace);
            String yaml =
                    HubAgents.yaml(
                            new HubAgents.Wish(world.namespace, "medley:test", at, "pods,cpu=1", 2),
                            Files.readAllBytes(certs.resolve("pods/" + JoinCredentials.IDENTITY)),
                            Files.readString(certs.resolve("pods/" + JoinCredentials.TOKEN)));
            plane.apply(yaml);
            world.await("two machines", () -> machines(world, journal) == 2);
            plane.apply(yaml.replace("replicas: 2", "replicas: 1"));
            world.await("one pod", () -> agents(world).size() == 1);
            assertThat(world.kubelet.log(agents(world).get(0))).contains("stays with the hub at");
        }
    }

    private static List<Pod> agents(KubernetesWorld world) {
        return world.client
                .pods()
                .inNamespace(world.namespace)
                .withLabel("app.kubernetes.io/name", "medley-agents-pods")
                .list()
                .getItems();
    }

    /** Pods that the hub has written down. */
    private static long machines(KubernetesWorld world, Path journal) {
        if (!Files.isDirectory(journal)) {
            return 0;
        }
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(journal)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return agents(world).stream()
                .filter(pod -> text.indexOf(pod.getMetadata().getName()) >= 0)
                .count();
    }
}
