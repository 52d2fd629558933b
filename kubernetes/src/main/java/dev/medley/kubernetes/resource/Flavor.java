package dev.medley.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes a kind of machines on which workers of a job may be, and how many.
 *
 * @param name of its Indexed Job, behind the job's
 * @param min without which the job does not begin
 * @param max that it may have
 * @param site in place of what the node's label says
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Flavor(
        String name,
        Integer min,
        Integer max,
        @Nullable String site,
        @Nullable ResourceRequirements resources,
        Map<String, String> nodeSelector,
        List<Toleration> tolerations,
        @Nullable Affinity affinity,
        @Nullable String runtimeClassName) {
    public Flavor {
        min = min == null ? 1 : min;
        max = max == null ? Math.max(1, min) : max;
        nodeSelector = nodeSelector == null ? Map.of() : Map.copyOf(nodeSelector);
        tolerations = tolerations == null ? List.of() : List.copyOf(tolerations);
    }

    /** As many workers as that of a kind of which nothing is said. */
    public static Flavor of(String name, int min, int max) {
        return new Flavor(name, min, max, null, null, Map.of(), List.of(), null, null);
    }
}
