package dev.medley.store.checkpoint;

import dev.medley.base.memory.NamedSpan;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A whole checkpoint, its checksums verified.
 *
 * @param folder it lies in
 * @param step last applied
 * @param epoch of the group that applied it
 * @param planVersion it was applied under
 * @param wallMillis when it was staged
 * @param spans by name what was offered; read-only views of its files, the longest elements first
 * @param extra as offered
 */
public record Checkpoint(
        Path folder,
        long step,
        int epoch,
        int planVersion,
        long wallMillis,
        List<NamedSpan> spans,
        JsonNode extra)
        implements FoundCheckpoint {
    public Checkpoint {
        spans = List.copyOf(spans);
    }

    /** Whether a span of that name was offered. */
    public boolean holds(String name) {
        return spans.stream().anyMatch(s -> s.name().equals(name));
    }

    /** The span of that name; it is a bug to ask for one that was not offered. */
    public NamedSpan span(String name) {
        return spans.stream()
                .filter(s -> s.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException(folder + " holds no array named " + name));
    }
}
