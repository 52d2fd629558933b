package dev.medley.kubernetes.quota;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads from Kueue's objects what of a queue's quota is idle, and who waits for it. Reservations
 * are added up from workloads: a queue's own sums come later, and would be given away twice.
 */
public final class KueueQuota {
    /** Of Kueue's resources that are read here. */
    public static final String GROUP = "kueue.x-k8s.io";

    /** From Kueue 0.15 on. */
    public static final String VERSION = "v1beta2";

    /** On a workload that only lets another one of the same job grow. */
    private static final String REPLACES = "kueue.x-k8s.io/workload-slice-replacement-for";

    /** Of a cohort that sets no limit: more than any cluster has. */
    private static final String ANY = "1E";

    private KueueQuota() {}

    /** The ClusterQueue behind a LocalQueue. */
    public static Optional<String> clusterQueue(
            List<GenericKubernetesResource> localQueues, String namespace, String queue) {
        return localQueues.stream()
                .filter(local -> local.getMetadata().getName().equals(queue))
                .filter(local -> local.getMetadata().getNamespace().equals(namespace))
                .map(local -> (String) local.get("spec", "clusterQueue"))
                .findFirst();
    }

    /**
     * What is left of a queue's quota.
     *
     * @param queue a ClusterQueue
     * @param workloads of its LocalQueues, whether they have quota or not
     * @param own says of a Job's uid whether its pods are workers of Medley, which do not count as
     *     waiting: a policy knows them. Coordinators do, since room has to be made for them.
     */
    public static QueueRoom room(
            GenericKubernetesResource queue,
            List<GenericKubernetesResource> workloads,
            Predicate<String> own) {
        Map<String, BigDecimal> idle = new TreeMap<>();
        Map<String, BigDecimal> most = new TreeMap<>();
        boolean borrows = queue.get("spec", "cohortName") != null;
        List<Map<String, Object>> groups = queue.get("spec", "resourceGroups");
        for (Map<String, Object> group : orEmpty(groups)) {
            for (Map<String, Object> flavor : list(group.get("flavors"))) {
                for (Map<String, Object> resource : list(flavor.get("resources"))) {
                    Object name = resource.get("name");
                    add(idle, name, resource.get("nominalQuota"), 1);
                    add(most, name, resource.get("nominalQuota"), 1);
                    Object limit = resource.get("borrowingLimit");
                    add(most, name, borrows && limit == null ? ANY : borrows ? limit : null, 1);
                }
            }
        }
        Map<String, BigDecimal> asked = new TreeMap<>();
        for (GenericKubernetesResource workload : workloads) {
            if (has(workload, "QuotaReserved") && !has(workload, "Finished")) {
                for (Map<String, Object> set : assignments(workload)) {
                    map(set.get("resourceUsage")).forEach((name, sum) -> add(idle, name, sum, -1));
                }
            } else if (isWaiting(workload)
                    && workload.getMetadata().getOwnerReferences().stream()
                            .map(OwnerReference::getUid)
                            .noneMatch(own)) {
                Map<String, BigDecimal> alone = new TreeMap<>();
                sum(alone, workload);
                if (canHave(alone, most)) {
                    alone.forEach((name, amount) -> asked.merge(name, amount, BigDecimal::add));
                }
            }
        }
        return new QueueRoom(idle, asked, most);
    }

    /** Nobody need make room for who asks for more than the queue can ever have. */
    private static boolean canHave(Map<String, BigDecimal> asked, Map<String, BigDecimal> most) {
        return asked.entrySet().stream()
                .allMatch(
                        ask ->
                                ask.getValue()
                                                .compareTo(
                                                        most.getOrDefault(
                                                                ask.getKey(), ask.getValue()))
                                        <= 0);
    }

    /** For how many pods a Job has quota; null if for none. */
    public static @Nullable Integer reserved(
            List<GenericKubernetesResource> workloads, String jobUid) {
        Integer reserved = null;
        for (GenericKubernetesResource workload : workloads) {
            if (isOf(workload, jobUid)
                    && has(workload, "QuotaReserved")
                    && !has(workload, "Finished")) {
                for (Map<String, Object> set : assignments(workload)) {
                    int count = ((Number) set.getOrDefault("count", 0)).intValue();
                    reserved = Math.max(count, reserved == null ? 0 : reserved);
                }
            }
        }
        return reserved;
    }

    /** Why a Job has no quota yet, in Kueue's words; empty if it has some, or nobody said why. */
    public static Optional<String> whyNot(
            List<GenericKubernetesResource> workloads, String jobUid) {
        return workloads.stream()
                .filter(workload -> isOf(workload, jobUid) && isWaiting(workload))
                .flatMap(workload -> conditions(workload).stream())
                .filter(c -> "QuotaReserved".equals(c.get("type")))
                .map(c -> String.valueOf(c.getOrDefault("message", "")).strip())
                .filter(message -> !message.isEmpty())
                .findFirst();
    }

    private static boolean isOf(GenericKubernetesResource workload, String jobUid) {
        return workload.getMetadata().getOwnerReferences().stream()
                .map(OwnerReference::getUid)
                .anyMatch(jobUid::equals);
    }

    /** Whether it is a Job's, and that has not ended. */
    public static boolean isOpenOf(GenericKubernetesResource workload, String jobUid) {
        return isOf(workload, jobUid) && !has(workload, "Finished");
    }

    static boolean hasQuota(GenericKubernetesResource workload) {
        return has(workload, "QuotaReserved");
    }

    /** As its priority class says. */
    static int priority(GenericKubernetesResource workload) {
        Number priority = workload.get("spec", "priority");
        return priority == null ? 0 : priority.intValue();
    }

    /** When it got quota or lost it, or was made; in seconds of the epoch. */
    static double decidedS(GenericKubernetesResource workload) {
        return conditions(workload).stream()
                .filter(c -> "QuotaReserved".equals(c.get("type")))
                .map(c -> c.get("lastTransitionTime"))
                .filter(Objects::nonNull)
                .mapToDouble(time -> Instant.parse(time.toString()).getEpochSecond())
                .findFirst()
                .orElseGet(() -> QueuedJob.createdS(workload.getMetadata()));
    }

    /** Whether it has no quota, and wants some for more than to grow. */
    static boolean isWaiting(GenericKubernetesResource workload) {
        Map<String, String> annotations = workload.getMetadata().getAnnotations();
        boolean onlyGrows = annotations != null && annotations.containsKey(REPLACES);
        return !onlyGrows
                && !has(workload, "QuotaReserved")
                && !has(workload, "Finished")
                && !Boolean.FALSE.equals(workload.get("spec", "active"));
    }

    private static boolean has(GenericKubernetesResource workload, String condition) {
        return conditions(workload).stream()
                .anyMatch(c -> condition.equals(c.get("type")) && "True".equals(c.get("status")));
    }

    private static List<Map<String, Object>> conditions(GenericKubernetesResource workload) {
        List<Map<String, Object>> conditions = workload.get("status", "conditions");
        return orEmpty(conditions);
    }

    private static List<Map<String, Object>> assignments(GenericKubernetesResource workload) {
        List<Map<String, Object>> sets = workload.get("status", "admission", "podSetAssignments");
        return orEmpty(sets);
    }

    private static void sum(Map<String, BigDecimal> asked, GenericKubernetesResource workload) {
        List<Map<String, Object>> sets = workload.get("spec", "podSets");
        for (Map<String, Object> set : orEmpty(sets)) {
            int count = ((Number) set.getOrDefault("count", 1)).intValue();
            Map<String, Object> template = map(set.get("template"));
            for (Map<String, Object> container :
                    list(map(template.get("spec")).get("containers"))) {
                map(map(container.get("resources")).get("requests"))
                        .forEach((name, value) -> add(asked, name, value, count));
            }
        }
    }

    private static void add(
            Map<String, BigDecimal> sums,
            @Nullable Object name,
            @Nullable Object value,
            int times) {
        if (name != null && value != null) {
            BigDecimal amount = Quantity.parse(value.toString()).getNumericalAmount();
            sums.merge(
                    name.toString(), amount.multiply(BigDecimal.valueOf(times)), BigDecimal::add);
        }
    }

    private static List<Map<String, Object>> orEmpty(@Nullable List<Map<String, Object>> some) {
        return some == null ? List.of() : some;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(@Nullable Object some) {
        return some == null ? List.of() : (List<Map<String, Object>>) some;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object some) {
        return some == null ? Map.of() : (Map<String, Object>) some;
    }
}
