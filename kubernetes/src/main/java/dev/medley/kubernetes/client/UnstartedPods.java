package dev.medley.kubernetes.client;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says why pods that somebody else makes do not start. It watches them, since one that has failed
 * may be deleted at once; where it may not, it knows nothing.
 *
 * <p>Thread: any.
 */
public final class UnstartedPods implements AutoCloseable {
    private static final Set<String> REASONS =
            Set.of(
                    "ErrImagePull",
                    "ImagePullBackOff",
                    "InvalidImageName",
                    "ErrImageNeverPull",
                    "CreateContainerConfigError",
                    "CreateContainerError",
                    "RunContainerError",
                    "StartError",
                    "CrashLoopBackOff");

    private static final Set<Integer> FORBIDDEN = Set.of(401, 403, 404);

    /** So many that ended say that the next ones will, too. */
    private static final int MANY = 4;

    private final Set<String> failed = new HashSet<>();
    private @Nullable String failure; // Of the last that failed.
    private @Nullable KubernetesClient client;
    private @Nullable SharedIndexInformer<Pod> watch;

    private final class Seen implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            note(pod);
        }

        @Override
        public void onUpdate(Pod before, Pod now) {
            note(now);
        }

        @Override
        public void onDelete(Pod pod, boolean isUnknown) {
            note(pod);
        }
    }

    UnstartedPods() {}

    /**
     * Begins to watch the pods with that label.
     *
     * @param url of the API server
     * @param context of the user's configuration; null for its current one
     */
    public static UnstartedPods watch(
            String url, @Nullable String context, String namespace, String label, String value) {
        UnstartedPods pods = new UnstartedPods();
        Config config = Config.autoConfigure(context);
        config.setMasterUrl(url);
        config.setRequestRetryBackoffLimit(1); // A watch that ends begins anew by itself.
        KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        pods.client = client;
        try {
            SharedIndexInformer<Pod> watch =
                    client.pods()
                            .inNamespace(namespace)
                            .withLabel(label, value)
                            .runnableInformer(0)
                            .addEventHandler(pods.new Seen())
                            .exceptionHandler((hasBegun, why) -> !isForbidden(why));
            pods.watch = watch;
            var unused = watch.start();
        } catch (KubernetesClientException e) {
            pods.close(); // What it says of pods is said of the application, too.
        }
        return pods;
    }

    /** Else it tries again: an API server that is busy may be late. */
    private static boolean isForbidden(Throwable why) {
        return why instanceof KubernetesClientException e && FORBIDDEN.contains(e.getCode());
    }

    synchronized void note(Pod pod) {
        for (ContainerStatus status : pod.getStatus().getContainerStatuses()) {
            ContainerState state = status.getState();
            ContainerStateTerminated end = state == null ? null : state.getTerminated();
            if (end != null && end.getExitCode() != 0 && failed.add(pod.getMetadata().getUid())) {
                failure =
                        "pod %s with image %s ended with exit status %d%s"
                                .formatted(
                                        pod.getMetadata().getName(),
                                        status.getImage(),
                                        end.getExitCode(),
                                        end.getMessage() == null
                                                ? ""
                                                : ": " + line(end.getMessage()));
            }
        }
    }

    /** Why none of them will start, in a sentence; empty where that is not known. */
    public Optional<String> trouble() {
        synchronized (this) {
            if (failed.size() >= MANY) {
                return Optional.of(
                        "%d pods have failed: %s; their image needs Spark 4.2 and Java 17 or later"
                                .formatted(failed.size(), failure));
            }
        }
        SharedIndexInformer<Pod> pods = watch;
        return pods == null
                ? Optional.empty()
                : pods.getStore().list().stream().flatMap(pod -> held(pod).stream()).findFirst();
    }

    /** What the first of them waits for, as the scheduler says it; empty where none waits. */
    public Optional<String> waiting() {
        SharedIndexInformer<Pod> pods = watch;
        return pods == null
                ? Optional.empty()
                : pods.getStore().list().stream()
                        .flatMap(pod -> unscheduled(pod).stream())
                        .sorted()
                        .findFirst();
    }

    static Optional<String> unscheduled(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .filter(c -> c.getType().equals("PodScheduled") && c.getStatus().equals("False"))
                .map(
                        c ->
                                "no node takes pod %s: %s"
                                        .formatted(
                                                pod.getMetadata().getName(), line(c.getMessage())))
                .findFirst();
    }

    static Optional<String> held(Pod pod) {
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
                                        line(waiting.getMessage())));
            }
        }
        return Optional.empty();
    }

    private static String line(@Nullable String text) {
        return String.valueOf(text).replaceAll("\\s+", " ").strip();
    }

    @Override
    public void close() {
        SharedIndexInformer<Pod> pods = watch;
        if (pods != null) {
            pods.close();
        }
        KubernetesClient with = client;
        if (with != null) {
            with.close();
        }
    }
}
