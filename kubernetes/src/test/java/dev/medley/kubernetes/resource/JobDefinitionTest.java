package dev.medley.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.kubernetes.cluster.ControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A real API server refuses what is wrong with a MedleyJob, in words that help. */
@Tag("real")
class JobDefinitionTest {
    private static KubernetesClient client;
    private static String namespace;

    @BeforeAll
    static void connect() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        client = plane.client();
        namespace = plane.namespace();
    }

    @AfterAll
    static void close() {
        if (client != null) {
            client.close();
        }
    }

    private static MedleyJob create(String name, String spec) {
        String text =
                """
                apiVersion: medley.dev/v1
                kind: MedleyJob
                metadata: {name: '%s', namespace: %s}
                spec: %s
                """
                        .formatted(name, namespace, spec);
        HasMetadata unused = client.resource(text).create();
        return client.resources(MedleyJob.class).inNamespace(namespace).withName(name).require();
    }

    @Test
    void shouldTakeAJobAndFillInWhatIsLeftOut() {
        MedleyJob job = create("whole", "{job: 'name: a', flavors: [{name: cpu, max: 3}]}");
        assertThat(job.getSpec().flavors().get(0).min()).isEqualTo(1);
        assertThat(job.getSpec().graceSeconds()).isEqualTo(120);
        assertThat(job.getSpec().least()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    job: a, flavors: []                         | should have at least 1 items
                    job: '', flavors: [{name: a}]               | should be at least 1 chars long
                    job: a, flavors: [{name: a, min: 4, max: 2}]| flavor a needs more workers (min)
                    job: a, flavors: [{name: a, min: 0, max: 2}]| min is 0 in all flavors
                    job: a, flavors: [{name: coordinator}]      | cannot be called coordinator
                    job: a, flavors: [{name: A_b}]              | should match
                    job: a, flavors: [{name: a}, {name: a}]     | Duplicate value
                    job: a, flavors: [{name: a}], settings: [b] | as in train.batch=256, and this is b
                    job: a, flavors: [{name: a}], graceSeconds: 0  | greater than or equal to 1
                    job: a, flavors: [{name: a}], runs: {claim: c, size: 1Gi} | give one of them
                    job: a, flavors: [{name: a}], runs: {claim: c, path: /a}  | folder on the volume
                    job: a, flavors: [{name: a}], queue: Team A | spec.queue in body should match
                    job: a, flavors: [{name: a}], runs: {size: much}     | spec.runs.size in body should match
                    job: a, flavors: [{name: a, resources: {requests: {cpu: x}}}] | requests.cpu in
                    job: a, flavors: [{name: a, resources: {limits: {cpu: [4]}}}]    | limits.cpu
                    job: a, flavors: [{name: a, tolerations: x}]   | tolerations in body must be of type
                    job: a, flavors: [{name: a, affinity: {podAffinity: b}}] | must be of type object
                    job: a, flavors: [{name: a}], env: [{name: A, value: 5}] | must be of type string
                    job: a, flavors: [{name: a}], mounts: [{name: b}] | mountPath: Required value
                    job: a, flavors: [{name: a}], volumes: [{name: b, emptyDir: {sizeLimit: b}}] | sizeLimit
                    job: a, flavors: [{name: a}], coordinator: {resources: {requests: 5}} | requests in body
                    """)
    void shouldRefuseWhatIsWrong(String spec, String why) {
        assertThatThrownBy(() -> create("bad", "{" + spec + "}"))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(why);
    }

    /** What the definition leaves open is said of the one job; a list of all can be read. */
    @Test
    void shouldReadWhatNoPodCanHaveAsOneJobsTrouble() {
        MedleyJob job =
                create(
                        "odd",
                        "{job: a, volumes: [{name: v, ephemeral: [1]}], flavors: [{name: a}]}");
        assertThat(job.getSpec().unreadable()).contains("spec.volumes.0.ephemeral cannot be read");
        MedleyJob again = client.getKubernetesSerialization().clone(job);
        assertThat(again.getSpec().unreadable()).isEqualTo(job.getSpec().unreadable());
        assertThat(client.resources(MedleyJob.class).inNamespace(namespace).list().getItems())
                .isNotEmpty();
    }

    /** A number that fits no job's status would end the watch of all jobs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "workers: 3000000000",
                "flavors: [{name: a, wanted: 3000000000}]",
                "progress: {workers: 3000000000}"
            })
    void shouldRefuseAStatusThatCannotBeRead(String status) {
        MedleyJob job = create("told", "{job: a, flavors: [{name: a}]}");
        GenericKubernetesResource told =
                client.getKubernetesSerialization()
                        .unmarshal(
                                """
                                apiVersion: medley.dev/v1
                                kind: MedleyJob
                                metadata: {name: told, namespace: %s}
                                status: {%s}
                                """
                                        .formatted(namespace, status),
                                GenericKubernetesResource.class);
        try {
            assertThatThrownBy(
                            () ->
                                    client.resource(told)
                                            .subresource("status")
                                            .patch(PatchContext.of(PatchType.JSON_MERGE)))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("format int32 in ");
        } finally {
            client.resource(job).delete();
        }
    }

    @Test
    void shouldTakeQuantitiesAsPodsDo() {
        MedleyJob job =
                create(
                        "sizes",
                        "{job: a, flavors: [{name: a, resources: {requests: {cpu: 4, memory: 1.5Gi,"
                                + " nvidia.com/gpu: '1', x/y: 1e3}, limits: {cpu: 500m}}}]}");
        assertThat(job.getSpec().unreadable()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a23456789012345678901234567890123456789012 | at most 40 characters
                    a.b                                        | without dots
                    1a                                         | begins with a letter
                    """)
    void shouldRefuseNamesThatPodsCannotHave(String name, String why) {
        assertThatThrownBy(() -> create(name, "{job: a, flavors: [{name: a}]}"))
                .hasMessageContaining(why);
    }

    @Test
    void shouldRefuseAnotherJobFileOfARunThatHasBegun() {
        MedleyJob job = create("kept", "{job: a, queue: q, flavors: [{name: a}]}");
        assertThatThrownBy(
                        () ->
                                client.resource(job)
                                        .patch(
                                                PatchContext.of(PatchType.JSON_MERGE),
                                                "{\"spec\":{\"job\":\"b\"}}"))
                .hasMessageContaining("the run that has begun is one of this job file");
        assertThatThrownBy(
                        () ->
                                client.resource(job)
                                        .patch(
                                                PatchContext.of(PatchType.JSON_MERGE),
                                                "{\"spec\":{\"queue\":null}}"))
                .hasMessageContaining("queue cannot be changed");
        client.resource(job)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"flavors\":[{\"name\":\"a\",\"min\":2,\"max\":8}]}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"adult.yaml", "mixed.yaml"})
    void shouldTakeTheExamples(String name) throws Exception {
        Path file = Path.of(System.getProperty("medley.root", ".."), "examples/kubernetes", name);
        try (InputStream in = Files.newInputStream(file)) {
            for (HasMetadata item : client.load(in).items()) {
                item.getMetadata().setNamespace(namespace);
                HasMetadata made = client.resource(item).dryRun().create();
                assertThat(made.getMetadata().getUid()).isNotEmpty();
            }
        }
    }
}
