package dev.medley.kubernetes.desired;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which objects a job wants, and what stands in them. */
@Tag("unit")
class DesiredStateTest {
    private static final OperatorDefaults DEFAULTS = OperatorDefaults.of("medley:1");

    private static MedleyJob job(String spec) {
        MedleyJob job = new MedleyJob();
        job.getMetadata().setName("adult");
        job.getMetadata().setNamespace("team");
        job.getMetadata().setUid("u-1");
        job.setSpec(new KubernetesSerialization().unmarshal("---\n" + spec, MedleyJobSpec.class));
        return job;
    }

    private static MedleyJob plain() {
        return job("{job: 'model: mlp', flavors: [{name: cpu, min: 2, max: 8}]}");
    }

    private static Container container(Job job) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    @Test
    void shouldOwnAllThatItMakes() {
        MedleyJob job = plain();
        for (HasMetadata object : DesiredState.shared(job)) {
            assertThat(object.getMetadata().getOwnerReferences())
                    .singleElement()
                    .satisfies(owner -> assertThat(owner.getUid()).isEqualTo("u-1"));
            assertThat(object.getMetadata().getLabels()).containsEntry(ObjectNames.JOB, "adult");
        }
    }

    @Test
    void shouldGiveWorkersNoAccountAndNobodyARight() {
        Job workers = DesiredState.workers(plain(), DEFAULTS, Flavor.of("cpu", 2, 8), 5);
        PodSpec pod = workers.getSpec().getTemplate().getSpec();
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(container(workers).getSecurityContext().getCapabilities().getDrop())
                .containsExactly("ALL");
        assertThat(workers.getSpec().getParallelism()).isEqualTo(5);
        assertThat(workers.getSpec().getCompletions()).isEqualTo(5);
    }

    @Test
    void shouldJoinTheCoordinatorByItsName() {
        Job workers = DesiredState.workers(plain(), DEFAULTS, Flavor.of("cpu", 2, 8), 5);
        assertThat(container(workers).getCommand())
                .containsSubsequence("agent", "--join", "adult-coordinator-0.adult.team.svc:7077")
                .contains("--until-done");
        assertThat(container(DesiredState.coordinator(plain(), DEFAULTS)).getCommand())
                .containsSubsequence("pod-job", "/medley/job/adult.yaml");
    }

    @Test
    void shouldCarryKueuesWordsWhereThereIsAQueue() {
        MedleyJob queued = job("{job: a, queue: team-a, flavors: [{name: cpu}]}");
        Job workers = DesiredState.workers(queued, DEFAULTS, Flavor.of("cpu", 1, 1), 1);
        assertThat(workers.getMetadata().getLabels()).containsEntry(ObjectNames.QUEUE, "team-a");
        assertThat(workers.getMetadata().getAnnotations())
                .containsEntry(ObjectNames.ELASTIC, "true");
        assertThat(workers.getSpec().getTemplate().getMetadata().getLabels())
                .doesNotContainKey(ObjectNames.QUEUE);
        Job alone = DesiredState.workers(plain(), DEFAULTS, Flavor.of("cpu", 1, 1), 1);
        assertThat(alone.getMetadata().getLabels()).doesNotContainKey(ObjectNames.QUEUE);
    }

    @Test
    void shouldPassOnGpusTolerationsAndSites() {
        MedleyJob job =
                job(
                        """
                        job: a
                        image: own:2
                        flavors:
                        - name: gpu
                          site: rack-7
                          resources: {limits: {nvidia.com/gpu: "1"}}
                          nodeSelector: {disk: ssd}
                          tolerations: [{key: spot, operator: Exists}]
                        """);
        Job workers = DesiredState.workers(job, DEFAULTS, job.getSpec().flavors().get(0), 1);
        assertThat(container(workers).getImage()).isEqualTo("own:2");
        assertThat(container(workers).getResources().getLimits()).containsKey("nvidia.com/gpu");
        PodSpec pod = workers.getSpec().getTemplate().getSpec();
        assertThat(pod.getNodeSelector()).containsEntry("disk", "ssd");
        assertThat(pod.getTolerations()).hasSize(1);
        assertThat(container(workers).getEnv())
                .anySatisfy(
                        variable -> {
                            assertThat(variable.getName()).isEqualTo("MEDLEY_SITE");
                            assertThat(variable.getValue()).isEqualTo("rack-7");
                        });
    }

    @Test
    void shouldKeepRunsWhereTheJobSays() {
        assertThat(DesiredState.shared(plain())).hasSize(3);
        MedleyJob made = job("{job: a, runs: {size: 10Gi}, flavors: [{name: cpu}]}");
        assertThat(DesiredState.shared(made))
                .anySatisfy(o -> assertThat(o.getKind()).isEqualTo("PersistentVolumeClaim"));
        MedleyJob there = job("{job: a, runs: {claim: c, path: a/b}, flavors: [{name: cpu}]}");
        PodSpec pod = DesiredState.coordinator(there, DEFAULTS).getSpec().getTemplate().getSpec();
        assertThat(pod.getVolumes())
                .anySatisfy(
                        v -> {
                            assertThat(v.getName()).isEqualTo("medley-runs");
                            assertThat(v.getPersistentVolumeClaim().getClaimName()).isEqualTo("c");
                        });
        assertThat(pod.getContainers().get(0).getVolumeMounts())
                .anySatisfy(m -> assertThat(m.getSubPath()).isEqualTo("a/b"));
    }

    /** Another operator's process has its maps in another order. */
    @Test
    void shouldWishTheSameInAnyOrderOfKeys() {
        KubernetesSerialization serialization = new KubernetesSerialization();
        Map<String, String> forth = new LinkedHashMap<>();
        Map<String, String> back = new LinkedHashMap<>();
        for (int i = 0; i < 9; i++) {
            forth.put("k" + i, "v");
            back.put("k" + (8 - i), "v");
        }
        HasMetadata one = DesiredState.shared(plain()).get(0);
        HasMetadata two = DesiredState.shared(plain()).get(0);
        one.getMetadata().setLabels(forth);
        two.getMetadata().setLabels(back);
        assertThat(serialization.asJson(one)).isNotEqualTo(serialization.asJson(two));
        assertThat(Wish.of(one, serialization)).isEqualTo(Wish.of(two, serialization));
        back.put("k0", "w");
        assertThat(Wish.of(one, serialization)).isNotEqualTo(Wish.of(two, serialization));
    }
}
