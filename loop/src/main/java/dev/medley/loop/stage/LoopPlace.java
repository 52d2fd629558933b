package dev.medley.loop.stage;

import java.nio.file.Path;

/**
 * Finds its way in the folder of a loop.
 *
 * @param folder with everything that the loop keeps
 */
public record LoopPlace(Path folder) {
    /** The snapshot of a source. */
    public Path source(String name) {
        return folder.resolve("sources").resolve(name);
    }

    /** The ledger of what a destination was sent. */
    public Path destination(String name) {
        return folder.resolve("destinations").resolve(name);
    }

    /** What one run of the loop made. */
    public Path run(long number) {
        return folder.resolve("runs").resolve(Long.toString(number));
    }

    /** Runs of training. */
    public Path training() {
        return folder.resolve("training");
    }

    /** What versions of the model are watched against. */
    public Path references() {
        return folder.resolve("references");
    }

    /** What the engine needs for a while; each process has its own. */
    public Path scratch() {
        return folder.resolve("scratch").resolve("" + ProcessHandle.current().pid());
    }
}
