package dev.medley.store.checkpoint;

import dev.medley.base.memory.NamedSpan;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The state that a run resumes from.
 *
 * @param step last applied
 * @param epoch of the group that applied it
 * @param planVersion it was applied under
 * @param spans parameters, buffers, optimizer state: whatever a step changes; names differ
 * @param extra small state that the caller reads again: cursor, plan, precision, early stopping
 */
public record CheckpointState(
        long step, int epoch, int planVersion, List<NamedSpan> spans, JsonNode extra) {
    public CheckpointState {
        spans = List.copyOf(spans);
        if (step < 0) {
            throw new IllegalArgumentException("step " + step);
        }
    }

    /** Bytes of all spans. */
    public long bytes() {
        return spans.stream().mapToLong(s -> s.data().bytes()).sum();
    }
}
