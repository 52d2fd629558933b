package dev.medley.store.checkpoint;

import dev.medley.base.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The newest whole checkpoint of a folder, and the broken ones that were passed over to reach it.
 *
 * @param checkpoint null if none is whole
 * @param passedOver newer ones that are broken, the newest first
 */
public record LatestCheckpoint(@Nullable Checkpoint checkpoint, List<BrokenCheckpoint> passedOver) {
    public LatestCheckpoint {
        passedOver = List.copyOf(passedOver);
    }

    /**
     * The checkpoint that a run goes on from; empty where it has none yet. Where there are some and
     * none is whole, going on would mean from the first step, which is for the user to say.
     *
     * @throws ConfigException if all are broken
     */
    public Optional<Checkpoint> usable() {
        if (checkpoint == null && !passedOver.isEmpty()) {
            Path folder = passedOver.get(0).folder().toAbsolutePath().getParent();
            throw new ConfigException(
                    "no checkpoint in %s is whole: %s. Put one back from a copy; or, to begin this run"
                                    .formatted(
                                            folder,
                                            passedOver.stream()
                                                    .map(
                                                            broken ->
                                                                    broken.name()
                                                                            + ": "
                                                                            + broken.reason())
                                                    .collect(Collectors.joining("; ")))
                            + " anew from its first step, remove that folder and resume again");
        }
        return found();
    }

    /** What was passed over, a sentence each. */
    public List<String> warnings() {
        return passedOver.stream()
                .map(broken -> "a damaged checkpoint is passed over: " + broken)
                .toList();
    }

    /** The checkpoint, if there is one. */
    public Optional<Checkpoint> found() {
        return Optional.ofNullable(checkpoint);
    }
}
