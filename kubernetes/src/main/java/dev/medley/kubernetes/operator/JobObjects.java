package dev.medley.kubernetes.operator;

import dev.medley.kubernetes.desired.ObjectNames;
import dev.medley.kubernetes.resource.MedleyJob;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Holds what the operator's watches have seen of jobs' objects, without asking the API server. */
final class JobObjects {
    private static final List<Class<? extends HasMetadata>> TYPES =
            List.of(
                    Job.class,
                    Pod.class,
                    ConfigMap.class,
                    Secret.class,
                    Service.class,
                    NetworkPolicy.class,
                    PersistentVolumeClaim.class);

    private final Map<Class<?>, InformerEventSource<? extends HasMetadata, MedleyJob>> sources =
            new LinkedHashMap<>();

    JobObjects(EventSourceContext<MedleyJob> context) {
        TYPES.forEach(type -> sources.put(type, source(type, context)));
    }

    List<EventSource<?, MedleyJob>> sources() {
        return List.copyOf(sources.values());
    }

    private static <T extends HasMetadata> InformerEventSource<T, MedleyJob> source(
            Class<T> type, EventSourceContext<MedleyJob> context) {
        return new InformerEventSource<>(
                InformerEventSourceConfiguration.from(type, MedleyJob.class)
                        .withName(type.getSimpleName())
                        .withNamespacesInheritedFromController()
                        .withLabelSelector(ObjectNames.JOB)
                        .withSecondaryToPrimaryMapper(JobObjects::jobOf)
                        .build(),
                context);
    }

    private static Set<ResourceID> jobOf(HasMetadata object) {
        return Set.of(
                new ResourceID(
                        object.getMetadata().getLabels().get(ObjectNames.JOB),
                        object.getMetadata().getNamespace()));
    }

    /** The Jobs and pods of a job. */
    ObservedJob observed(MedleyJob job) {
        List<Job> jobs = all(Job.class, job).stream().filter(j -> Ownership.isOf(j, job)).toList();
        List<Pod> pods = all(Pod.class, job).stream().filter(p -> Ownership.isOf(p, job)).toList();
        return ObservedJob.of(jobs, pods);
    }

    /** An object that was made for a job; one of the same name of somebody else does not count. */
    <T extends HasMetadata> Optional<T> find(Class<T> type, MedleyJob job, String name) {
        return typed(type)
                .get(new ResourceID(name, job.namespace()))
                .filter(object -> Ownership.isOf(object, job));
    }

    private <T extends HasMetadata> List<T> all(Class<T> type, MedleyJob job) {
        return List.copyOf(typed(type).getSecondaryResources(job));
    }

    /** The watch will say it later; what is done next must know it now. */
    void recent(Job changed, Job before) {
        typed(Job.class)
                .handleRecentResourceUpdate(ResourceID.fromResource(changed), changed, before);
    }

    @SuppressWarnings("unchecked")
    private <T extends HasMetadata> InformerEventSource<T, MedleyJob> typed(Class<T> type) {
        return (InformerEventSource<T, MedleyJob>) Objects.requireNonNull(sources.get(type));
    }
}
