package dev.medley.store.model;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The provenance of a model: what a colleague needs to train it again.
 *
 * @param run name of the run
 * @param date when it was written, ISO 8601
 * @param dataHash of the data that it was trained on
 * @param seed of the run
 * @param job the resolved job
 * @param versions of Medley, Java and LibTorch, by their names
 * @param step of the run after which it was like this; 0 in models of versions that did not say
 */
public record Provenance(
        String run,
        String date,
        String dataHash,
        long seed,
        JsonNode job,
        Map<String, String> versions,
        @JsonSetter(nulls = Nulls.AS_EMPTY) long step) {
    public Provenance {
        versions = Collections.unmodifiableMap(new TreeMap<>(versions));
    }
}
