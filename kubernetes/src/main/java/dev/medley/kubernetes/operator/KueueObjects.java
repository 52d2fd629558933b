package dev.medley.kubernetes.operator;

import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.fill.FilledPolicy;
import dev.medley.kubernetes.quota.KueueQuota;
import dev.medley.kubernetes.quota.QuantityCheck;
import dev.medley.kubernetes.quota.QueueRoom;
import dev.medley.kubernetes.quota.QueueShares;
import dev.medley.kubernetes.quota.QueuedJob;
import dev.medley.kubernetes.quota.QuotaStand;
import dev.medley.kubernetes.quota.WorkerCounts;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Holds what the operator's watches have seen of Kueue: queues, and workloads of all kinds. */
final class KueueObjects {
    private final QueueShares shares =
            new QueueShares(new FilledPolicy(Policies.named(Policies.DEFAULT)));
    private final EventSourceContext<MedleyJob> context;
    private final InformerEventSource<GenericKubernetesResource, MedleyJob> localQueues;
    private final InformerEventSource<GenericKubernetesResource, MedleyJob> clusterQueues;
    private final InformerEventSource<GenericKubernetesResource, MedleyJob> workloads;

    KueueObjects(EventSourceContext<MedleyJob> context) {
        this.context = context;
        localQueues = source("LocalQueue");
        clusterQueues = source("ClusterQueue");
        workloads = source("Workload");
    }

    /** Whether Kueue is there. */
    static boolean areThere(KubernetesClient client) {
        return client.getApiResources(KueueQuota.GROUP + "/" + KueueQuota.VERSION) != null;
    }

    List<EventSource<?, MedleyJob>> sources() {
        return List.of(localQueues, clusterQueues, workloads);
    }

    private InformerEventSource<GenericKubernetesResource, MedleyJob> source(String kind) {
        return new InformerEventSource<>(
                InformerEventSourceConfiguration.from(
                                new GroupVersionKind(KueueQuota.GROUP, KueueQuota.VERSION, kind),
                                MedleyJob.class)
                        .withName(kind)
                        .withWatchAllNamespaces()
                        .withSecondaryToPrimaryMapper(this::concerned)
                        .build(),
                context);
    }

    /** Jobs of queues: what one of them gives back another one takes. */
    private Set<ResourceID> concerned(GenericKubernetesResource changed) {
        return context.getPrimaryCache()
                .list(job -> job.getSpec().queue() != null)
                .map(ResourceID::fromResource)
                .collect(Collectors.toSet());
    }

    /** How many workers a job of a queue is to have, beside the others of its ClusterQueue. */
    WorkerCounts counts(MedleyJob job, JobObjects objects, double nowS) {
        List<GenericKubernetesResource> locals = localQueues.list(any -> true).toList();
        Optional<String> name = clusterQueue(locals, job);
        List<GenericKubernetesResource> all = workloads(locals, name);
        List<QueuedJob> jobs = new ArrayList<>();
        context.getPrimaryCache()
                .list(other -> clusterQueue(locals, other).equals(name) && isOpen(other))
                .forEach(
                        other ->
                                jobs.add(
                                        QueuedJob.of(
                                                other, reserved(objects.observed(other), all))));
        if (jobs.stream().noneMatch(other -> other.key().equals(job.path()))) {
            jobs.add(QueuedJob.of(job, reserved(objects.observed(job), all)));
        }
        return Objects.requireNonNull(
                shares.decide(jobs, room(job, objects), nowS).get(job.path()));
    }

    /** What is left of the quota of a job's queue. */
    QueueRoom room(MedleyJob job, JobObjects objects) {
        List<GenericKubernetesResource> locals = localQueues.list(any -> true).toList();
        Optional<String> name = clusterQueue(locals, job);
        Set<String> own = new HashSet<>();
        context.getPrimaryCache()
                .list(other -> clusterQueue(locals, other).equals(name) && isOpen(other))
                .forEach(other -> own.addAll(objects.observed(other).workerUids()));
        return name.flatMap(n -> clusterQueues.get(new ResourceID(n)))
                .map(queue -> KueueQuota.room(queue, workloads(locals, name), own::contains))
                .orElseGet(QueueRoom::none);
    }

    private List<GenericKubernetesResource> workloads(
            List<GenericKubernetesResource> locals, Optional<String> clusterQueue) {
        return clusterQueue.isEmpty()
                        || clusterQueues.get(new ResourceID(clusterQueue.get())).isEmpty()
                ? List.of()
                : workloads.list(w -> isIn(locals, clusterQueue.get(), w)).toList();
    }

    /** Workloads of all queues. */
    List<GenericKubernetesResource> workloads() {
        return workloads.list(any -> true).toList();
    }

    /** Other jobs of a job's ClusterQueue, and of those in the same cohort. */
    List<MedleyJob> rivals(MedleyJob job) {
        List<GenericKubernetesResource> locals = localQueues.list(any -> true).toList();
        Optional<String> pool = pool(locals, job);
        return context.getPrimaryCache()
                .list(other -> !other.path().equals(job.path()) && isOpen(other))
                .filter(other -> pool.isPresent() && pool(locals, other).equals(pool))
                .toList();
    }

    /** A cohort or a queue that is in none: what is free in it all can have who are in it. */
    private Optional<String> pool(List<GenericKubernetesResource> locals, MedleyJob job) {
        return clusterQueue(locals, job)
                .flatMap(name -> clusterQueues.get(new ResourceID(name)))
                .map(
                        queue -> {
                            Object cohort = queue.get("spec", "cohortName");
                            return cohort == null
                                    ? "queue " + queue.getMetadata().getName()
                                    : "cohort " + cohort;
                        });
    }

    /** What a job whose Jobs have no quota waits for. */
    String waiting(MedleyJob job, ObservedJob seen) {
        String queue = Objects.requireNonNull(job.getSpec().queue());
        if (clusterQueue(localQueues.list(any -> true).toList(), job).isEmpty()) {
            return ("there is no LocalQueue %s in namespace %s: create it, or delete the job and"
                            + " create it with another spec.queue")
                    .formatted(queue, job.namespace());
        }
        List<GenericKubernetesResource> all =
                workloads
                        .list(w -> job.namespace().equals(w.getMetadata().getNamespace()))
                        .toList();
        List<String> uids = new ArrayList<>();
        seen.coordinator().ifPresent(c -> uids.add(c.getMetadata().getUid()));
        uids.addAll(seen.workerUids());
        String waits = "waits for quota of queue " + queue;
        Optional<String> held =
                all.stream()
                        .filter(seen::owns)
                        .filter(QuotaStand::isHeld)
                        .map(w -> w.getMetadata().getAnnotations().get(QuotaStand.HELD))
                        .findFirst();
        if (held.isPresent()) {
            return waits + ": " + held.get();
        }
        return uids.stream()
                .flatMap(uid -> KueueQuota.whyNot(all, uid).stream())
                .findFirst()
                .map(why -> waits + ": " + why)
                .orElse(waits);
    }

    private static boolean isOpen(MedleyJob job) {
        MedleyJobStatus status = job.getStatus();
        boolean isOver =
                status != null
                        && status.phase() != null
                        && (status.phase().isEnd() || status.phase() == JobPhaseName.Refused);
        return !isOver
                && !job.getSpec().isSuspended()
                && QuantityCheck.refusal(job.getSpec()).isEmpty();
    }

    private static Map<String, Integer> reserved(
            ObservedJob seen, List<GenericKubernetesResource> workloads) {
        Map<String, Integer> reserved = new HashMap<>();
        seen.workers()
                .forEach(
                        (flavor, workers) -> {
                            Integer count =
                                    KueueQuota.reserved(workloads, workers.getMetadata().getUid());
                            if (count != null) {
                                reserved.put(flavor, count);
                            }
                        });
        return reserved;
    }

    private static Optional<String> clusterQueue(
            List<GenericKubernetesResource> locals, MedleyJob job) {
        String queue = job.getSpec().queue();
        return queue == null
                ? Optional.empty()
                : KueueQuota.clusterQueue(locals, job.namespace(), queue);
    }

    private static boolean isIn(
            List<GenericKubernetesResource> locals,
            String clusterQueue,
            GenericKubernetesResource workload) {
        @Nullable String queue = workload.get("spec", "queueName");
        return queue != null
                && KueueQuota.clusterQueue(locals, workload.getMetadata().getNamespace(), queue)
                        .filter(clusterQueue::equals)
                        .isPresent();
    }
}
