package dev.medley.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says what a coordinator's pod asks of its node. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PodNeeds(
        @Nullable ResourceRequirements resources,
        Map<String, String> nodeSelector,
        List<Toleration> tolerations) {
    /** Nothing. */
    public static final PodNeeds NONE = new PodNeeds(null, Map.of(), List.of());

    public PodNeeds {
        nodeSelector = nodeSelector == null ? Map.of() : Map.copyOf(nodeSelector);
        tolerations = tolerations == null ? List.of() : List.copyOf(tolerations);
    }
}
