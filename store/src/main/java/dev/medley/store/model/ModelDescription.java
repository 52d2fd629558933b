package dev.medley.store.model;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.LossSpec;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The description of a trained model: everything but its weights.
 *
 * @param model family and options
 * @param loss it was trained for
 * @param signature what flows in, what is predicted
 * @param encoding how raw features become inputs, fitted on the training split; opaque here
 * @param metrics of the last evaluation, by name
 * @param provenance where it comes from
 * @param threshold from which probability on the second of two classes is said; null for one half
 */
public record ModelDescription(
        ModelSpec model,
        LossSpec loss,
        Signature signature,
        JsonNode encoding,
        Map<String, Double> metrics,
        Provenance provenance,
        @Nullable DecisionThreshold threshold) {
    public ModelDescription {
        metrics = Collections.unmodifiableMap(new TreeMap<>(metrics));
    }

    /** A model that has no threshold of its own. */
    public ModelDescription(
            ModelSpec model,
            LossSpec loss,
            Signature signature,
            JsonNode encoding,
            Map<String, Double> metrics,
            Provenance provenance) {
        this(model, loss, signature, encoding, metrics, provenance, null);
    }
}
