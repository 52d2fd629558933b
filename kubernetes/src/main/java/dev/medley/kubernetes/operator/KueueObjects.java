package dev.medley.kubernetes.operator;

import dev.medley.kubernetes.quota.KueueQuota;
import dev.medley.kubernetes.quota.QueueRoom;
import dev.medley.kubernetes.quota.WorkerCounts;
import dev.medley.kubernetes.resource.MedleyJob;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Holds what the operator's watches have seen of Kueue: queues, and workloads of all kinds. */
final class KueueObjects {
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

    /** How many workers a job of a queue is to have. */
    WorkerCounts counts(MedleyJob job, ObservedJob seen, String queue) {
        List<GenericKubernetesResource> locals = localQueues.list(any -> true).toList();
        Optional<String> name = KueueQuota.clusterQueue(locals, job.namespace(), queue);
        Optional<GenericKubernetesResource> cluster =
                name.flatMap(n -> clusterQueues.get(new ResourceID(n)));
        if (cluster.isEmpty()) {
            return WorkerCounts.within(job.getSpec(), Map.of(), new QueueRoom(Map.of(), Map.of()));
        }
        List<GenericKubernetesResource> all =
                workloads.list(w -> isIn(locals, name.get(), w)).toList();
        Map<String, Integer> reserved = new HashMap<>();
        seen.workers()
                .forEach(
                        (flavor, workers) -> {
                            Integer count =
                                    KueueQuota.reserved(all, workers.getMetadata().getUid());
                            if (count != null) {
                                reserved.put(flavor, count);
                            }
                        });
        return WorkerCounts.within(job.getSpec(), reserved, KueueQuota.room(cluster.get(), all));
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
