package dev.medley.store.checkpoint;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest whole checkpoint of a folder, and what was passed over to reach it.
 *
 * @param checkpoint null if none is whole
 * @param passedOver newer ones that are broken, the newest first
 */
public record LatestCheckpoint(@Nullable Checkpoint checkpoint, List<BrokenCheckpoint> passedOver) {
    public LatestCheckpoint {
        passedOver = List.copyOf(passedOver);
    }

    /** The checkpoint, if there is one. */
    public Optional<Checkpoint> found() {
        return Optional.ofNullable(checkpoint);
    }
}
