package dev.medley.kubernetes.operator;

import dev.medley.base.Json;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds how much processor and memory a worker's container asks for and may use: what Kubernetes
 * can change while it runs.
 *
 * @param requests by {@code cpu} and {@code memory}; where only a limit is said it is the request
 *     too, as the API server has it
 */
record PodSize(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    private static final List<String> RESIZABLE = List.of("cpu", "memory");
    private static final List<String> UNITS = List.of("Ki", "Mi", "Gi");

    PodSize {
        requests = Map.copyOf(requests);
        limits = Map.copyOf(limits);
    }

    static PodSize of(@Nullable ResourceRequirements resources) {
        Map<String, Quantity> limits = resizable(resources == null ? null : resources.getLimits());
        Map<String, Quantity> requests = new LinkedHashMap<>(limits);
        requests.putAll(resizable(resources == null ? null : resources.getRequests()));
        return new PodSize(requests, limits);
    }

    /** Of the pods that an Indexed Job makes. */
    static PodSize made(Job workers) {
        return of(workers.getSpec().getTemplate().getSpec().getContainers().get(0).getResources());
    }

    /** Whether it says as much as another one does: nothing can be taken away in place. */
    boolean covers(PodSize other) {
        return requests.keySet().containsAll(other.requests.keySet())
                && limits.keySet().containsAll(other.limits.keySet());
    }

    private static Map<String, Quantity> resizable(@Nullable Map<String, Quantity> all) {
        Map<String, Quantity> some = new LinkedHashMap<>();
        for (String name : RESIZABLE) {
            Quantity quantity = all == null ? null : all.get(name);
            if (quantity != null) {
                some.put(name, quantity);
            }
        }
        return some;
    }

    /** {@code cpu 4, memory 8Gi (limit 16Gi)}; equal where the sizes are, however written. */
    String words() {
        List<String> words = new ArrayList<>();
        for (String name : RESIZABLE) {
            Quantity request = requests.get(name);
            Quantity limit = limits.get(name);
            if (request != null) {
                String bound = limit == null ? "" : " (limit %s)".formatted(amount(limit));
                words.add("%s %s%s".formatted(name, amount(request), bound));
            }
        }
        return words.isEmpty() ? "no processor or memory said" : String.join(", ", words);
    }

    private static String amount(Quantity quantity) {
        BigDecimal amount = quantity.getNumericalAmount();
        for (int i = UNITS.size(); i > 0; i--) {
            BigDecimal unit = BigDecimal.valueOf(1L << (10 * i));
            if (amount.compareTo(unit) >= 0 && amount.remainder(unit).signum() == 0) {
                return amount.divide(unit).toBigInteger() + UNITS.get(i - 1);
            }
        }
        return amount.stripTrailingZeros().toPlainString();
    }

    /** A strategic merge patch that gives a pod's container this size. */
    String patch(String container) {
        Map<String, Object> resources = new TreeMap<>();
        resources.put("requests", texts(requests));
        resources.put("limits", texts(limits));
        return Json.line(
                Map.of(
                        "spec",
                        Map.of(
                                "containers",
                                List.of(Map.of("name", container, "resources", resources)))));
    }

    private static Map<String, String> texts(Map<String, Quantity> of) {
        Map<String, String> texts = new TreeMap<>();
        of.forEach((name, quantity) -> texts.put(name, quantity.toString()));
        return texts;
    }
}
