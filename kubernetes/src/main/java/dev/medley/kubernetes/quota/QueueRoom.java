package dev.medley.kubernetes.quota;

import dev.medley.kubernetes.resource.Flavor;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holds what of a queue's quota nobody has reserved, and what those ask for who wait.
 *
 * @param idle by resource (cpu, memory, nvidia.com/gpu), in its base unit
 * @param asked by resource, of all workloads that wait, but for jobs that only want to grow; empty
 *     if none waits
 * @param most by resource, that the queue could ever have, with what it may borrow; a resource that
 *     is not there has no limit
 */
public record QueueRoom(
        Map<String, BigDecimal> idle, Map<String, BigDecimal> asked, Map<String, BigDecimal> most) {
    /** More workers than anybody has. */
    private static final int MANY = 1_000_000;

    public QueueRoom {
        idle = Map.copyOf(idle);
        asked = Map.copyOf(asked);
        most = Map.copyOf(most);
    }

    /** Of a queue without quota. */
    public static QueueRoom none() {
        return new QueueRoom(Map.of(), Map.of(), Map.of());
    }

    /** Whether the queue could have as many workers of a kind if nobody else had any. */
    boolean canHave(Flavor flavor, int workers) {
        BigDecimal times = BigDecimal.valueOf(workers);
        return needs(flavor).entrySet().stream()
                .allMatch(
                        need ->
                                !most.containsKey(need.getKey())
                                        || need.getValue()
                                                        .multiply(times)
                                                        .compareTo(most.get(need.getKey()))
                                                <= 0);
    }

    /** How many more workers of a kind there is quota for, beside what others wait for. */
    int fits(Flavor flavor) {
        int fits = MANY;
        for (Map.Entry<String, BigDecimal> need : needs(flavor).entrySet()) {
            BigDecimal room = idle.get(need.getKey());
            if (room == null || need.getValue().signum() <= 0) {
                continue; // The queue does not count it.
            }
            BigDecimal left = room.subtract(asked.getOrDefault(need.getKey(), BigDecimal.ZERO));
            fits = Math.min(fits, left.divideToIntegralValue(need.getValue()).intValue());
        }
        return Math.max(0, fits);
    }

    /** How many more workers of a kind there may be; negative where some have to go. */
    int spare(Flavor flavor) {
        int lacks = lacks(flavor);
        return lacks > 0 ? -lacks : fits(flavor);
    }

    /** How many workers of a kind have to go, so that those who wait have what they ask for. */
    int lacks(Flavor flavor) {
        int lacks = 0;
        for (Map.Entry<String, BigDecimal> need : needs(flavor).entrySet()) {
            BigDecimal wanted = asked.getOrDefault(need.getKey(), BigDecimal.ZERO);
            BigDecimal missing = wanted.subtract(idle.getOrDefault(need.getKey(), BigDecimal.ZERO));
            if (missing.signum() > 0 && need.getValue().signum() > 0) {
                lacks =
                        Math.max(
                                lacks,
                                missing.divide(need.getValue(), 0, RoundingMode.CEILING)
                                        .intValue());
            }
        }
        return lacks;
    }

    /** What is left when a flavor has so many workers more; fewer where that is negative. */
    QueueRoom without(Flavor flavor, int more) {
        Map<String, BigDecimal> left = new TreeMap<>(idle);
        needs(flavor)
                .forEach(
                        (resource, need) ->
                                left.computeIfPresent(
                                        resource,
                                        (any, room) ->
                                                room.subtract(
                                                        need.multiply(BigDecimal.valueOf(more)))));
        return new QueueRoom(left, asked, most);
    }

    /** What is idle of what a flavor needs, for a sentence. */
    String said(Flavor flavor) {
        String words =
                idle.entrySet().stream()
                        .filter(room -> needs(flavor).containsKey(room.getKey()))
                        .map(r -> "%s of %s".formatted(r.getValue().toPlainString(), r.getKey()))
                        .sorted()
                        .collect(Collectors.joining(", "));
        return words.isEmpty() ? "it counts nothing that this flavor asks for" : words + " idle";
    }

    private static Map<String, BigDecimal> needs(Flavor flavor) {
        return needs(flavor.resources());
    }

    /** What a pod with such a container asks for. */
    static Map<String, BigDecimal> needs(@Nullable ResourceRequirements resources) {
        Map<String, BigDecimal> needs = new TreeMap<>();
        if (resources != null) {
            put(needs, resources.getLimits()); // A request that is left out is the limit.
            put(needs, resources.getRequests());
        }
        return needs;
    }

    private static void put(Map<String, BigDecimal> needs, Map<String, Quantity> quantities) {
        if (quantities != null) {
            quantities.forEach((name, q) -> needs.put(name, q.getNumericalAmount()));
        }
    }
}
