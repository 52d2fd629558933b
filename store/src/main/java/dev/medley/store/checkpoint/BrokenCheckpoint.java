package dev.medley.store.checkpoint;

import java.nio.file.Path;

/**
 * A checkpoint that cannot be used.
 *
 * @param folder it lies in
 * @param step by the folder's name
 * @param reason which file, what is wrong with it
 */
public record BrokenCheckpoint(Path folder, long step, String reason) implements FoundCheckpoint {
    /** The folder's own name. */
    String name() {
        return String.valueOf(folder.getFileName());
    }

    @Override
    public String toString() {
        return folder + ": " + reason;
    }
}
