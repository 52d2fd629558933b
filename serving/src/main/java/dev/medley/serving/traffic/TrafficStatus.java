package dev.medley.serving.traffic;

import dev.medley.serving.registry.TrafficPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says how traffic of a model is dealt out by one server, and what it has seen.
 *
 * @param server process and machine
 * @param version that the alias leads to
 * @param plan null for none
 * @param versions what each version did under the plan
 * @param evidence of a canary; null for none
 * @param shadow what the shadow said beside; null for none
 * @param decision what follows from it
 */
public record TrafficStatus(
        String name,
        String server,
        long atMillis,
        String version,
        @Nullable TrafficPlan plan,
        List<OfVersion> versions,
        @Nullable Evidence evidence,
        ShadowFigures.@Nullable Sum shadow,
        String decision) {
    /** Requests of a version that the plan gave to it. */
    public record OfVersion(int version, double share, long requests, long errors) {}

    public TrafficStatus {
        versions = List.copyOf(versions);
    }
}
