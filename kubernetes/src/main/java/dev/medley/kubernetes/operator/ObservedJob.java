package dev.medley.kubernetes.operator;

import dev.medley.kubernetes.desired.ObjectNames;
import dev.medley.kubernetes.quota.KueueQuota;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Holds what was seen of a job's Jobs and pods.
 *
 * @param workers the Indexed Job of each flavor that has one
 */
record ObservedJob(Optional<Job> coordinator, Map<String, Job> workers, List<Pod> pods) {
    static ObservedJob of(Collection<Job> jobs, Collection<Pod> pods) {
        Optional<Job> coordinator = Optional.empty();
        Map<String, Job> workers = new HashMap<>();
        for (Job job : jobs) {
            Map<String, String> labels = job.getMetadata().getLabels();
            String flavor = labels.get(ObjectNames.FLAVOR);
            if (flavor != null) {
                workers.put(flavor, job);
            } else {
                coordinator = Optional.of(job);
            }
        }
        List<Pod> ordered =
                pods.stream().sorted(Comparator.comparing(p -> p.getMetadata().getName())).toList();
        return new ObservedJob(coordinator, workers, ordered);
    }

    /** Whether something is not there yet of which no watch tells that it will not come. */
    boolean isToBeAsked() {
        return pods.stream().anyMatch(PodSetup::isUnderWay)
                || Stream.concat(coordinator.stream(), workers.values().stream())
                        .anyMatch(PodSetup::lacksPods);
    }

    /** Of the Jobs whose pods are workers. */
    List<String> workerUids() {
        return workers.values().stream().map(job -> job.getMetadata().getUid()).toList();
    }

    /** Whether a workload of Kueue's that is not over is for one of its Jobs. */
    boolean owns(GenericKubernetesResource workload) {
        return Stream.concat(coordinator.stream(), workers.values().stream())
                .anyMatch(job -> KueueQuota.isOpenOf(workload, job.getMetadata().getUid()));
    }

    /** Pods of a flavor that are not on their way out. */
    List<Pod> pods(String flavor) {
        return pods.stream()
                .filter(pod -> flavor.equals(pod.getMetadata().getLabels().get(ObjectNames.FLAVOR)))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    /** Pods of the coordinator, the newest last. */
    List<Pod> coordinatorPods() {
        return pods.stream()
                .filter(
                        pod ->
                                ObjectNames.COORDINATOR.equals(
                                        pod.getMetadata().getLabels().get(ObjectNames.COMPONENT)))
                .sorted(Comparator.comparing(p -> p.getMetadata().getCreationTimestamp()))
                .toList();
    }

    /** Pods of a flavor that are ready. */
    int ready(String flavor) {
        return (int) pods(flavor).stream().filter(ObservedJob::isReady).count();
    }

    /** Whether a Job has that condition. */
    static boolean has(Job job, String condition) {
        return job.getStatus() != null
                && job.getStatus().getConditions().stream()
                        .anyMatch(
                                c -> c.getType().equals(condition) && c.getStatus().equals("True"));
    }

    /**
     * Whether its number of pods is to be changed; while it waits for quota it only asks for less.
     */
    static boolean isToScale(Job job, int count) {
        int now = job.getSpec().getParallelism();
        boolean isWaiting = Boolean.TRUE.equals(job.getSpec().getSuspend());
        return (isWaiting ? count < now : count != now) && !has(job, "Failed");
    }

    static boolean isReady(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    }
}
