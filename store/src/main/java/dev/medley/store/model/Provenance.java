package dev.medley.store.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Where a model comes from: what a colleague needs to train it again.
 *
 * @param run name of the run
 * @param date when it was written, ISO 8601
 * @param dataHash of the data that it was trained on
 * @param seed of the run
 * @param job the resolved job
 * @param versions of Medley, Java and LibTorch, by their names
 */
public record Provenance(
        String run,
        String date,
        String dataHash,
        long seed,
        JsonNode job,
        Map<String, String> versions) {
    public Provenance {
        versions = Collections.unmodifiableMap(new TreeMap<>(versions));
    }
}
