package dev.medley.serving.registry;

import dev.medley.base.job.Signature;
import java.util.Map;

/**
 * Says what a version is and what it came of.
 *
 * @param version from 1
 * @param family of the model
 * @param run that trained it
 * @param dataHash of what it learnt from
 * @param metrics of its last evaluation
 * @param signature of its inputs and target
 * @param weightsSha256 of its weights
 * @param source where it was registered from
 */
public record VersionCard(
        int version,
        String family,
        String run,
        String dataHash,
        Map<String, Double> metrics,
        Signature signature,
        String weightsSha256,
        String source) {
    public VersionCard {
        metrics = Map.copyOf(metrics);
    }
}
