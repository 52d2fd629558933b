package dev.medley.data.shard;

import java.nio.file.Path;

/**
 * The folder, seed, disk budget and progress with which a set is decoded.
 *
 * @param folder for its files; becomes visible to others only when it is whole
 * @param seed of the run
 * @param budget of the disk cache
 * @param progress told how far it is
 */
public record Workplace(Path folder, long seed, DiskBudget budget, PreparationProgress progress) {
    /** A path within the folder. */
    public Path file(String name) {
        return folder.resolve(name);
    }
}
