package dev.medley.kubernetes.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart, as Helm itself renders it, is what the command prints. */
@Tag("real")
class HelmChartTest {
    private static final Path ROOT = Path.of(System.getProperty("medley.root", ".."));

    @TempDir Path folder;

    @Test
    void shouldInstallWhatTheCommandPrints() throws Exception {
        Map<String, String> printed =
                objects(Installation.yaml("medley-system", "registry.example/medley:1.0"));
        printed.keySet().removeIf(name -> name.startsWith("Namespace/")); // Helm makes it.
        Map<String, String> rendered =
                objects(helm("--set", "image=registry.example/medley:1.0", "--include-crds"));
        assertThat(rendered).isEqualTo(printed);
        assertThat(rendered).hasSizeGreaterThan(4);
    }

    @Test
    void shouldAskForAnImageAndTakeNamespaces() throws Exception {
        assertThat(helm()).contains("an image with Medley and a JDK 17 is needed");
        assertThat(helm("--set", "image=a:1", "--set", "namespaces={x,y}", "--set", "replicas=2"))
                .contains("- --namespace", "- \"x\"", "- \"y\"", "replicas: 2");
    }

    private String helm(String... more) throws Exception {
        String named = System.getenv("MEDLEY_KUBE");
        Path helm =
                (named == null
                                ? Path.of(System.getProperty("user.home"), ".cache", "medley-kube")
                                : Path.of(named))
                        .resolve("helm");
        assumeTrue(Files.isExecutable(helm), "skipped: no helm; tools/kube/build.sh makes it");
        List<String> line = new ArrayList<>();
        line.addAll(List.of(helm.toString(), "template", "medley", "charts/medley"));
        line.addAll(List.of("--namespace", "medley-system", "--kube-version", "1.36.0"));
        line.addAll(List.of(more));
        Path output = Files.createTempFile(folder, "helm", ".yaml");
        Path errors = Files.createTempFile(folder, "helm", ".txt");
        Process process =
                new ProcessBuilder(line)
                        .directory(ROOT.toFile())
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() == 0 ? Files.readString(output) : Files.readString(errors);
    }

    /** As JSON by kind and name. */
    private static Map<String, String> objects(String yaml) {
        Map<String, String> all = new TreeMap<>();
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            for (HasMetadata object :
                    client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                            .items()) {
                all.put(
                        object.getKind() + "/" + object.getMetadata().getName(),
                        client.getKubernetesSerialization().asJson(object));
            }
        }
        return all;
    }
}
