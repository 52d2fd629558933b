package dev.medley.kubernetes.desired;

import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.RunsVolume;
import dev.medley.net.tls.JoinCredentials;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import java.util.Map;
import java.util.Optional;

/** Makes what coordinator and workers of a job share: file, secret, domain, policy, volume. */
final class SharedObjects {
    static final String EXPECTED = "expect";

    private static final String SHARED = "shared";

    private final MedleyJob job;

    SharedObjects(MedleyJob job) {
        this.job = job;
    }

    /** What the job file is called: a job that has no name in it takes this one. */
    static String fileName(MedleyJob job) {
        return job.name() + ".yaml";
    }

    /** The job file, and how many workers a coordinator waits for that begins now. */
    ConfigMap file() {
        return new ConfigMapBuilder()
                .withMetadata(meta(ObjectNames.file(job)))
                .withData(
                        Map.of(
                                fileName(job),
                                job.getSpec().job(),
                                EXPECTED,
                                String.valueOf(job.getSpec().least())))
                .build();
    }

    Secret join(JoinMaterial material) {
        return new SecretBuilder()
                .withMetadata(meta(ObjectNames.join(job)))
                .withType("medley.dev/join")
                .withData(
                        Map.of(
                                JoinCredentials.IDENTITY,
                                material.identity(),
                                JoinCredentials.TOKEN,
                                material.token()))
                .build();
    }

    /** Gives pods their host names, those too that are not ready. */
    Service domain() {
        return new ServiceBuilder()
                .withMetadata(meta(ObjectNames.service(job)))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(Map.of(ObjectNames.JOB, job.name()))
                .addNewPort()
                .withName("join")
                .withPort(ObjectNames.PORT)
                .endPort()
                .endSpec()
                .build();
    }

    /** Nobody but the job's own pods connects to them. */
    NetworkPolicy policy() {
        return new NetworkPolicyBuilder()
                .withMetadata(meta(ObjectNames.service(job)))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(Map.of(ObjectNames.JOB, job.name()))
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .addNewIngress()
                .addNewFrom()
                .withNewPodSelector()
                .withMatchLabels(Map.of(ObjectNames.JOB, job.name()))
                .endPodSelector()
                .endFrom()
                .endIngress()
                .endSpec()
                .build();
    }

    /** The volume for the run's folder, where one is to be made. */
    Optional<PersistentVolumeClaim> claim() {
        RunsVolume runs = job.getSpec().runs();
        if (runs == null || runs.size() == null) {
            return Optional.empty();
        }
        return Optional.of(
                new PersistentVolumeClaimBuilder()
                        .withMetadata(meta(ObjectNames.claim(job)))
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withStorageClassName(runs.storageClass())
                        .withNewResources()
                        .withRequests(Map.of("storage", runs.size()))
                        .endResources()
                        .endSpec()
                        .build());
    }

    private ObjectMeta meta(String name) {
        return meta(job, name, SHARED);
    }

    /** Of an object that goes when the job goes. */
    static ObjectMeta meta(MedleyJob job, String name, String component) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(job.namespace())
                .withLabels(ObjectNames.labels(job, component))
                .withOwnerReferences(
                        new OwnerReferenceBuilder()
                                .withApiVersion(job.getApiVersion())
                                .withKind(job.getKind())
                                .withName(job.name())
                                .withUid(job.getMetadata().getUid())
                                .withController(true)
                                .withBlockOwnerDeletion(true)
                                .build())
                .build();
    }
}
