package dev.medley.store.model;

import dev.medley.base.memory.NamedSpan;
import java.util.List;

/**
 * A model folder that was read and verified.
 *
 * @param description everything but the weights
 * @param weights read-only views of the file, by the names they were written under; the longest
 *     elements first
 * @param weightsSha256 names the weights
 */
public record StoredModel(
        ModelDescription description, List<NamedSpan> weights, String weightsSha256) {
    public StoredModel {
        weights = List.copyOf(weights);
    }
}
