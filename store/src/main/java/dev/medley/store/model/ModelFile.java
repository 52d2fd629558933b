package dev.medley.store.model;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.LossSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The content of model.json, below its checksum. */
record ModelFile(
        int formatVersion,
        Weights weights,
        ModelSpec model,
        LossSpec loss,
        Signature signature,
        JsonNode encoding,
        Map<String, Double> metrics,
        Provenance provenance,
        @Nullable DecisionThreshold threshold) {
    static final int FORMAT_VERSION = 1;

    /** The weights' file, and how to know that it is whole. */
    record Weights(String file, long bytes, String sha256) {}

    static ModelFile of(Weights weights, ModelDescription description) {
        return new ModelFile(
                FORMAT_VERSION,
                weights,
                description.model(),
                description.loss(),
                description.signature(),
                description.encoding(),
                description.metrics(),
                description.provenance(),
                description.threshold());
    }

    ModelDescription description() {
        return new ModelDescription(
                model, loss, signature, encoding, metrics, provenance, threshold);
    }
}
