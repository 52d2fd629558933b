package dev.medley.kubernetes.install;

import dev.medley.kubernetes.desired.PodBasics;
import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import dev.medley.kubernetes.submit.FlavorWords;
import dev.medley.net.tls.JoinCredentials;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Base64;
import java.util.Map;

/**
 * Writes pods that stay with a hub as machines of its fleet: a cluster as one of its sites. They
 * connect to the hub and to each other; nobody connects to the cluster for it.
 */
public final class HubAgents {
    private static final String NAME = "medley-agents";
    private static final String JOIN = "/medley/join";
    private static final String WORK = "/medley/scratch";

    private HubAgents() {}

    /**
     * What the pods are.
     *
     * @param hub HOST:PORT where it listens
     * @param flavor as on the command line: cpu,cpu=4,memory=8Gi; its name is the machines' type
     */
    public record Wish(String namespace, String image, String hub, String flavor, int replicas) {}

    /**
     * A Secret and a Deployment as YAML.
     *
     * @param identity the file of that name in a machine's folder made by medley certs
     * @param token the join token
     */
    public static String yaml(Wish wish, byte[] identity, String token) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        Flavor flavor = FlavorWords.parse(wish.flavor());
        String name = NAME + "-" + flavor.name();
        Secret secret =
                new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(wish.namespace())
                        .endMetadata()
                        .withData(
                                Map.of(
                                        JoinCredentials.IDENTITY,
                                        Base64.getEncoder().encodeToString(identity)))
                        .withStringData(Map.of(JoinCredentials.TOKEN, token))
                        .build();
        return serialization.asYaml(secret) + serialization.asYaml(pods(wish, flavor, name));
    }

    private static Deployment pods(Wish wish, Flavor flavor, String name) {
        Map<String, String> labels = Map.of("app.kubernetes.io/name", name);
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(wish.namespace())
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withReplicas(wish.replicas())
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withContainers(container(wish, flavor))
                .withVolumes(
                        new VolumeBuilder()
                                .withName("join")
                                .withNewSecret()
                                .withSecretName(name)
                                .withDefaultMode(0440)
                                .endSecret()
                                .build(),
                        new VolumeBuilder()
                                .withName("work")
                                .withNewEmptyDir()
                                .endEmptyDir()
                                .build())
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withNodeSelector(flavor.nodeSelector())
                .withTerminationGracePeriodSeconds((long) MedleyJobSpec.USUAL_GRACE_SECONDS)
                .withSecurityContext(PodBasics.podRights())
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static Container container(Wish wish, Flavor flavor) {
        return new ContainerBuilder()
                .withName("agent")
                .withImage(wish.image())
                .withCommand(
                        "medley",
                        "agent",
                        "--hub",
                        wish.hub(),
                        "--name",
                        "$(POD_NAME)",
                        "--type",
                        flavor.name(),
                        "--site=$(MEDLEY_SITE)",
                        "--credentials",
                        JOIN,
                        "--folder",
                        WORK + "/agent")
                .withEnv(
                        PodBasics.field("POD_NAME", "metadata.name"),
                        flavor.site() != null
                                ? PodBasics.value("MEDLEY_SITE", flavor.site())
                                : PodBasics.field(
                                        "MEDLEY_SITE",
                                        "metadata.labels['%s']"
                                                .formatted(MedleyJobSpec.USUAL_SITE_LABEL)),
                        PodBasics.value("HOME", WORK + "/home"),
                        PodBasics.value("MEDLEY_JAVA_OPTS", "-Duser.home=" + WORK + "/home"),
                        PodBasics.value("MEDLEY_ARCHIVES", "none"))
                .withResources(flavor.resources())
                .withVolumeMounts(
                        new VolumeMountBuilder().withName("join").withMountPath(JOIN).build(),
                        new VolumeMountBuilder().withName("work").withMountPath(WORK).build())
                .withSecurityContext(PodBasics.rights())
                .build();
    }
}
