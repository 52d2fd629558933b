package dev.medley.kubernetes.operator;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.kubernetes.desired.ObjectNames;
import dev.medley.kubernetes.desired.Wish;
import dev.medley.kubernetes.quota.QuotaStand;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the cluster, each object only where it is not as it should be: an object carries the
 * fingerprint of the wish that it was made of, so that a job that does not change costs no write.
 *
 * <p>Thread: any.
 */
final class ClusterChanges {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterChanges.class);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final String MANAGER = "medley-operator";
    private static final PatchContext BY_US =
            new PatchContext.Builder()
                    .withPatchType(PatchType.SERVER_SIDE_APPLY)
                    .withFieldManager(MANAGER)
                    .withForce(true)
                    .build();
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    /** A coordinator says how far it is meanwhile. */
    private static final int ATTEMPTS = 5;

    private static final int LONGEST_EVENT = 1000;

    private final KubernetesClient client;
    private final Clock clock;
    private final Map<String, Long> writes = new ConcurrentSkipListMap<>();

    ClusterChanges(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** How many writes there were, by what was written. */
    Map<String, Long> writes() {
        return Map.copyOf(writes);
    }

    private void count(String what) {
        writes.merge(what, 1L, Long::sum);
    }

    /**
     * Makes an object as it is wished, if the one that was seen is not.
     *
     * @param seen one of the same owner; null where none was seen
     * @return the object as it is now
     * @throws TakenException if its name is taken
     */
    <T extends HasMetadata> T apply(T wished, @Nullable T seen) {
        String wish = Wish.of(wished, client.getKubernetesSerialization());
        if (seen != null && wish.equals(annotation(seen))) {
            return seen;
        }
        annotate(wished, wish);
        if (seen == null) {
            return create(wished);
        }
        count(wished.getKind());
        return client.resource(wished).fieldManager(MANAGER).forceConflicts().serverSideApply();
    }

    /** Asks the API server whether an object of that name is there. */
    boolean isThere(HasMetadata object) {
        return client.resource(object).get() != null;
    }

    /**
     * Makes an object; one of that name and owner that is there is kept, however it looks.
     *
     * @return the object as it is now
     * @throws TakenException if its name is taken
     */
    <T extends HasMetadata> T create(T wished) {
        try {
            count(wished.getKind());
            return client.resource(wished).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != CONFLICT) {
                throw e;
            }
            T there = client.resource(wished).get();
            if (there == null) {
                throw e; // It is gone meanwhile, or the conflict is about something else.
            }
            Ownership.require(wished, there);
            return there;
        }
    }

    /** Lets an Indexed Job have as many pods; its other pods are as they were. */
    Job scale(Job job, int count) {
        count("Job");
        return client.resource(job)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"parallelism\":%d,\"completions\":%d}}"
                                .formatted(count, count));
    }

    /** Gives a container of a pod another size while it runs. */
    void resize(Pod pod, String container, PodSize size) {
        count("Pod");
        Pod unused =
                client.resource(pod)
                        .subresource("resize")
                        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), size.patch(container));
    }

    /** Gives a pod an annotation, if it is still there. */
    void mark(Pod pod, String annotation, String value) {
        count("Pod");
        String patch =
                Json.line(Map.of("metadata", Map.of("annotations", Map.of(annotation, value))));
        try {
            Pod unused = client.resource(pod).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        } catch (KubernetesClientException e) {
            if (e.getCode() != NOT_FOUND) {
                throw e;
            }
        }
    }

    /** Keeps a workload out of Kueue, which takes back its quota; null lets it in again. */
    void hold(GenericKubernetesResource workload, @Nullable String why) {
        String patch =
                """
                {"metadata": {"annotations": {"%s": %s}}, "spec": {"active": %b}}
                """
                        .formatted(
                                QuotaStand.HELD,
                                why == null ? "null" : Json.line(why),
                                why == null);
        count("Workload");
        GenericKubernetesResource unused =
                client.resource(workload).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    /** Ends an object and what belongs to it. */
    void delete(HasMetadata object) {
        count(object.getKind());
        client.resource(object).withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();
    }

    /**
     * Says what the operator sees of a job, and leaves what its coordinator says. Nothing is said
     * of another job that has its name by now.
     */
    void status(MedleyJob job, MedleyJobStatus status) {
        MedleyJob now = job;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (told(now, status)) {
                return;
            }
            now = client.resource(job).get();
            if (now == null || !now.getMetadata().getUid().equals(job.getMetadata().getUid())) {
                return;
            }
        }
        // Whoever asked looks at it again.
        throw new KubernetesClientException(job.path() + ": its status changes all the time");
    }

    /** Whether it was this version: of a status the API server compares nothing else. */
    private boolean told(MedleyJob job, MedleyJobStatus status) {
        MedleyJob told = new MedleyJob();
        told.setMetadata(
                new ObjectMetaBuilder()
                        .withName(job.name())
                        .withNamespace(job.namespace())
                        .withResourceVersion(job.getMetadata().getResourceVersion())
                        .build());
        told.setStatus(status);
        count("status");
        try {
            client.resource(told).subresource("status").patch(BY_US);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != CONFLICT && e.getCode() != NOT_FOUND) {
                throw e;
            }
            return false;
        }
    }

    /** Tells whoever looks at a job (kubectl describe) what happened; what matters is not lost. */
    void event(MedleyJob job, String type, String reason, String message) {
        try {
            tell(job, type, reason, message);
        } catch (KubernetesClientException e) {
            LOG.warn(
                    "{}: {} could not be told as an event: {}", job.path(), reason, e.getMessage());
        }
    }

    private void tell(MedleyJob job, String type, String reason, String message) {
        ObjectMeta meta = job.getMetadata();
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        count("Event");
        client.resource(
                        new EventBuilder()
                                .withNewMetadata()
                                .withGenerateName(job.name() + "-")
                                .withNamespace(meta.getNamespace())
                                .endMetadata()
                                .withNewInvolvedObject()
                                .withApiVersion(job.getApiVersion())
                                .withKind(job.getKind())
                                .withName(job.name())
                                .withNamespace(meta.getNamespace())
                                .withUid(meta.getUid())
                                .endInvolvedObject()
                                .withType(type)
                                .withReason(reason)
                                .withAction(reason)
                                .withMessage(
                                        message.length() <= LONGEST_EVENT
                                                ? message
                                                : message.substring(0, LONGEST_EVENT) + "…")
                                .withEventTime(new MicroTime(MICROS.format(now)))
                                .withReportingComponent(MANAGER)
                                .withReportingInstance(MANAGER)
                                .build())
                .create();
    }

    private static @Nullable String annotation(HasMetadata object) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(ObjectNames.WISH);
    }

    private static void annotate(HasMetadata object, String wish) {
        Map<String, String> before = object.getMetadata().getAnnotations();
        Map<String, String> annotations = before == null ? new HashMap<>() : new HashMap<>(before);
        annotations.put(ObjectNames.WISH, wish);
        object.getMetadata().setAnnotations(annotations);
    }
}
