package dev.medley.kubernetes.quota;

import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import dev.medley.kubernetes.resource.PodNeeds;
import dev.medley.kubernetes.resource.RunsVolume;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a job's quantities before anybody counts with them: those of other jobs go on. */
public final class QuantityCheck {
    private QuantityCheck() {}

    /** The first that is none, and where it stands; empty if all can be read. */
    public static Optional<String> refusal(MedleyJobSpec spec) {
        for (Flavor flavor : spec.flavors()) {
            Optional<String> refusal =
                    of("spec.flavors[%s].resources".formatted(flavor.name()), flavor.resources());
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        PodNeeds coordinator = spec.coordinator();
        RunsVolume runs = spec.runs();
        return of(
                        "spec.coordinator.resources",
                        coordinator == null ? null : coordinator.resources())
                .or(() -> runs == null ? Optional.empty() : of("spec.runs.size", runs.size()));
    }

    private static Optional<String> of(String where, @Nullable ResourceRequirements resources) {
        return resources == null
                ? Optional.empty()
                : of(where + ".requests", resources.getRequests())
                        .or(() -> of(where + ".limits", resources.getLimits()));
    }

    private static Optional<String> of(String where, @Nullable Map<String, Quantity> quantities) {
        return quantities == null
                ? Optional.empty()
                : quantities.entrySet().stream()
                        .flatMap(q -> of(where + "." + q.getKey(), q.getValue()).stream())
                        .findFirst();
    }

    private static Optional<String> of(String where, @Nullable Quantity quantity) {
        try {
            if (quantity != null) {
                var unused = quantity.getNumericalAmount();
            }
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(
                    "%s is %s: give a quantity, as in 500m, 4 or 8Gi".formatted(where, quantity));
        }
    }
}
