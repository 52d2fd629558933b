package dev.medley.kubernetes.operator;

import dev.medley.base.time.Clock;
import dev.medley.kubernetes.resource.MedleyJob;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server for the events that say why pods of a job are not there. It asks once a
 * second at most, of whatever job: where a thousand wait, each is asked about now and then, and
 * what was said last holds meanwhile.
 *
 * <p>Thread: any.
 */
final class SetupEvents {
    private static final Logger LOG = LoggerFactory.getLogger(SetupEvents.class);
    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final Map<String, PodSetup> known = new ConcurrentHashMap<>(); // By uid of the job.
    private long nextNs;

    SetupEvents(Clock clock) {
        this.clock = clock;
        this.nextNs = clock.nowNs();
    }

    /** Why a pod of the job is not there; empty if none is late, or nobody says why. */
    Optional<PodSetup> of(MedleyJob job, ObservedJob seen, Instant now, KubernetesClient client) {
        Optional<Pod> late = PodSetup.late(seen, now);
        Optional<Job> lacking = PodSetup.lacking(seen, now);
        String uid = job.getMetadata().getUid();
        if (late.isEmpty() && lacking.isEmpty()) {
            known.remove(uid);
        } else if (mayAsk()) {
            late.flatMap(pod -> PodSetup.of(pod, events(pod, client)))
                    .or(() -> lacking.flatMap(j -> PodSetup.of(j, events(j, client))))
                    .ifPresentOrElse(said -> known.put(uid, said), () -> known.remove(uid));
        }
        return Optional.ofNullable(known.get(uid));
    }

    /** A job that is gone. */
    void forget(MedleyJob job) {
        known.remove(job.getMetadata().getUid());
    }

    private synchronized boolean mayAsk() {
        if (clock.nowNs() < nextNs) {
            return false;
        }
        nextNs = clock.nowNs() + EVERY_NS;
        return true;
    }

    private static List<Event> events(HasMetadata object, KubernetesClient client) {
        try {
            return client.v1()
                    .events()
                    .inNamespace(object.getMetadata().getNamespace())
                    .withField("involvedObject.uid", object.getMetadata().getUid())
                    .list()
                    .getItems();
        } catch (KubernetesClientException e) {
            LOG.debug("why a pod is not there is not known: {}", JobTrouble.said(e));
            return List.of();
        }
    }
}
