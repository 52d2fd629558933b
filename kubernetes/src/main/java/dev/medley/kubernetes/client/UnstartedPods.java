package dev.medley.kubernetes.client;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says why pods that somebody else has made do not start. */
public final class UnstartedPods {
    private static final Set<String> REASONS =
            Set.of(
                    "ErrImagePull",
                    "ImagePullBackOff",
                    "InvalidImageName",
                    "ErrImageNeverPull",
                    "CreateContainerConfigError");

    private UnstartedPods() {}

    /**
     * Of the first such pod with that label, in a sentence; empty if there is none, or the cluster
     * does not tell.
     *
     * @param url of the API server
     * @param context of the user's configuration; null for its current one
     */
    public static Optional<String> trouble(
            String url, @Nullable String context, String namespace, String label, String value) {
        Config config = Config.autoConfigure(context);
        config.setMasterUrl(url);
        config.setRequestRetryBackoffLimit(0); // Who looks again and again tries again by itself.
        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
            return client
                    .pods()
                    .inNamespace(namespace)
                    .withLabel(label, value)
                    .list()
                    .getItems()
                    .stream()
                    .flatMap(pod -> of(pod).stream())
                    .findFirst();
        } catch (KubernetesClientException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> of(Pod pod) {
        for (ContainerStatus status : pod.getStatus().getContainerStatuses()) {
            ContainerState state = status.getState();
            ContainerStateWaiting waiting = state == null ? null : state.getWaiting();
            if (waiting != null && REASONS.contains(String.valueOf(waiting.getReason()))) {
                return Optional.of(
                        "pod %s does not start with image %s (%s): %s"
                                .formatted(
                                        pod.getMetadata().getName(),
                                        status.getImage(),
                                        waiting.getReason(),
                                        String.valueOf(waiting.getMessage())
                                                .replaceAll("\\s+", " ")));
            }
        }
        return Optional.empty();
    }
}
