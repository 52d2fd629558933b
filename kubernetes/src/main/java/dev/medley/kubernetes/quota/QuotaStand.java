package dev.medley.kubernetes.quota;

import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.PodNeeds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds how much of what a job needs to begin has quota: its coordinator and each flavor's least
 * are workloads of their own, which Kueue lets in one by one.
 *
 * @param key namespace and name
 * @param priority as Kueue has it
 * @param arrivalS when the job was created, in seconds of the epoch
 * @param sinceS when the last of its Jobs got or lost quota, in seconds of the epoch
 * @param having how many of its Jobs have quota
 * @param lacking how many do not
 * @param missing by resource, what those ask for that have no quota
 * @param least by resource, what all ask for
 * @param isHeld whether its workloads are kept out until others are in
 */
public record QuotaStand(
        String key,
        int priority,
        double arrivalS,
        double sinceS,
        int having,
        int lacking,
        Map<String, BigDecimal> missing,
        Map<String, BigDecimal> least,
        boolean isHeld) {
    /** Annotation of a workload that is kept out: why. */
    public static final String HELD = "medley.dev/held";

    public QuotaStand {
        missing = Map.copyOf(missing);
        least = Map.copyOf(least);
    }

    /**
     * Of a job.
     *
     * @param coordinator uid of its Job; null before that is made
     * @param workers uid of each flavor's Job that there is
     * @param workloads all, or those of the job's namespace
     */
    public static QuotaStand of(
            MedleyJob job,
            @Nullable String coordinator,
            Map<String, String> workers,
            List<GenericKubernetesResource> workloads) {
        Tally tally = new Tally(workloads);
        PodNeeds needs = job.getSpec().coordinator();
        tally.add(coordinator, QueueRoom.needs(needs == null ? null : needs.resources()), 1);
        for (Flavor flavor : job.getSpec().flavors()) {
            tally.add(
                    workers.get(flavor.name()),
                    QueueRoom.needs(flavor.resources()),
                    Math.max(1, flavor.min()));
        }
        return new QuotaStand(
                job.path(),
                tally.priority,
                QueuedJob.createdS(job.getMetadata()),
                tally.sinceS,
                tally.having,
                tally.lacking,
                tally.missing,
                tally.least,
                tally.isHeld);
    }

    /** Whether it holds quota that it cannot begin with. */
    boolean isHalf() {
        return !isHeld && having > 0 && lacking > 0;
    }

    /** Adds up a job's Jobs. */
    private static final class Tally {
        private final List<GenericKubernetesResource> workloads;
        private final Map<String, BigDecimal> missing = new TreeMap<>();
        private final Map<String, BigDecimal> least = new TreeMap<>();
        private int having;
        private int lacking;
        private int priority = Integer.MIN_VALUE;
        private double sinceS;
        private boolean isHeld;

        Tally(List<GenericKubernetesResource> workloads) {
            this.workloads = workloads;
        }

        void add(@Nullable String uid, Map<String, BigDecimal> needs, int pods) {
            boolean has = false;
            for (GenericKubernetesResource workload : workloads) {
                if (uid != null && KueueQuota.isOpenOf(workload, uid)) {
                    has |= KueueQuota.hasQuota(workload);
                    isHeld |= isHeld(workload);
                    priority = Math.max(priority, KueueQuota.priority(workload));
                    sinceS = Math.max(sinceS, KueueQuota.decidedS(workload));
                }
            }
            having += has ? 1 : 0;
            lacking += has ? 0 : 1;
            for (Map.Entry<String, BigDecimal> need : needs.entrySet()) {
                BigDecimal sum = need.getValue().multiply(BigDecimal.valueOf(pods));
                least.merge(need.getKey(), sum, BigDecimal::add);
                if (!has) {
                    missing.merge(need.getKey(), sum, BigDecimal::add);
                }
            }
        }
    }

    /** Whether a workload is kept out. */
    public static boolean isHeld(GenericKubernetesResource workload) {
        Map<String, String> annotations = workload.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(HELD);
    }
}
