package dev.medley.kubernetes.operator;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Says why a pod is not there: it may not be made, for a quota or a policy of its namespace, or a
 * volume that it mounts is not there on its node. Of both only events tell.
 *
 * @param uid of the pod, or of the Job that has none
 * @param why in a sentence
 */
record PodSetup(String uid, String why) {
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

    /** Of a job's Jobs one that lacks pods for a while; a coordinator's first. */
    static Optional<Job> lacking(ObservedJob seen, Instant now) {
        return Stream.concat(seen.coordinator().stream(), seen.workers().values().stream())
                .filter(PodSetup::lacksPods)
                .filter(
                        job ->
                                Instant.parse(job.getMetadata().getCreationTimestamp())
                                        .plus(PATIENCE)
                                        .isBefore(now))
                .findFirst();
    }

    /** Whether the Job controller has made fewer pods than it is to. */
    static boolean lacksPods(Job job) {
        Integer active = job.getStatus() == null ? null : job.getStatus().getActive();
        return !Boolean.TRUE.equals(job.getSpec().getSuspend())
                && !ObservedJob.has(job, "Complete")
                && !ObservedJob.has(job, "Failed")
                && (active == null ? 0 : active) < job.getSpec().getParallelism();
    }

    /** The first thing that events about a Job say of pods that may not be made. */
    static Optional<PodSetup> of(Job job, List<Event> events) {
        return events.stream()
                .filter(event -> "FailedCreate".equals(event.getReason()))
                .map(event -> line(event).replaceFirst("pods \"[^\"]*\" is forbidden: ", ""))
                .min(Comparator.naturalOrder())
                .map(
                        message ->
                                new PodSetup(
                                        job.getMetadata().getUid(),
                                        "no pod can be made for Job %s: %s"
                                                .formatted(job.getMetadata().getName(), message)));
    }

    /** The first thing that events about a pod say of its volumes, so that it stays the same. */
    static Optional<PodSetup> of(Pod pod, List<Event> events) {
        return events.stream()
                .filter(event -> OF_VOLUME.contains(String.valueOf(event.getReason())))
                .map(PodSetup::line)
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

    private static String line(Event event) {
        return String.valueOf(event.getMessage()).replaceAll("\\s+", " ").strip();
    }
}
