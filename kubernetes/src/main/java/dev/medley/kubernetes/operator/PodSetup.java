package dev.medley.kubernetes.operator;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says why a pod that a node has taken is not set up there: a volume that it mounts is not there,
 * of which kubelets tell by events alone.
 *
 * @param podUid of the pod
 * @param why in a sentence
 */
record PodSetup(String podUid, String why) {
    private static final Logger LOG = LoggerFactory.getLogger(PodSetup.class);
    private static final Set<String> OF_SETUP = Set.of("ContainerCreating", "PodInitializing");
    private static final Set<String> OF_VOLUME = Set.of("FailedMount", "FailedAttachVolume");

    /** A kubelet looks for what it mounts again and again, and says late that it gave up. */
    private static final String SUMMARY = "timed out waiting for the condition";

    /** Volumes are mounted sooner; images take longer, and have no such events. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Nobody tells a watch of pods when such an event comes. */
    static final Duration AGAIN = Duration.ofSeconds(20);

    /** Whether a pod is being set up, which nobody may tell the end of. */
    static boolean isUnderWay(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && "Pending".equals(pod.getStatus().getPhase())
                && scheduled(pod).isPresent()
                && pod.getStatus().getContainerStatuses().stream().allMatch(PodSetup::isWaiting);
    }

    private static boolean isWaiting(ContainerStatus status) {
        ContainerState state = status.getState();
        return state == null
                || (state.getWaiting() != null
                        && OF_SETUP.contains(String.valueOf(state.getWaiting().getReason())));
    }

    private static Optional<Instant> scheduled(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .filter(c -> c.getType().equals("PodScheduled") && c.getStatus().equals("True"))
                .map(PodCondition::getLastTransitionTime)
                .map(time -> time == null ? Instant.EPOCH : Instant.parse(time))
                .findFirst();
    }

    /** Of a job's pods the one that is longest at it, if it takes long; a coordinator first. */
    static Optional<Pod> late(ObservedJob seen, Instant now) {
        return Stream.concat(seen.coordinatorPods().stream(), seen.pods().stream())
                .filter(PodSetup::isUnderWay)
                .filter(pod -> scheduled(pod).orElse(now).plus(PATIENCE).isBefore(now))
                .findFirst();
    }

    /** Asks the API server; empty where it knows nothing, or the operator may not ask. */
    static Optional<PodSetup> of(Pod pod, KubernetesClient client) {
        try {
            return of(
                    pod,
                    client.v1()
                            .events()
                            .inNamespace(pod.getMetadata().getNamespace())
                            .withField("involvedObject.uid", pod.getMetadata().getUid())
                            .list()
                            .getItems());
        } catch (KubernetesClientException e) {
            LOG.debug("why a pod is not set up is not known: {}", JobTrouble.said(e));
            return Optional.empty();
        }
    }

    /** The first thing that events about a pod say of its volumes, so that it stays the same. */
    static Optional<PodSetup> of(Pod pod, List<Event> events) {
        return events.stream()
                .filter(event -> OF_VOLUME.contains(String.valueOf(event.getReason())))
                .map(event -> String.valueOf(event.getMessage()).replaceAll("\\s+", " ").strip())
                .min(
                        Comparator.<String, Boolean>comparing(m -> m.contains(SUMMARY))
                                .thenComparing(Comparator.naturalOrder()))
                .map(
                        message ->
                                new PodSetup(
                                        pod.getMetadata().getUid(),
                                        "pod %s waits for a volume: %s; see spec.volumes"
                                                .formatted(pod.getMetadata().getName(), message)));
    }
}
