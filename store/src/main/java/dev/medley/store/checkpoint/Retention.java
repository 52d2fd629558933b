package dev.medley.store.checkpoint;

import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps the newest whole checkpoints and removes older ones. A broken one is never counted; one
 * that is newer than the oldest kept stays, for people to look at. Checkpoints of earlier processes
 * are verified once, in full.
 *
 * <p>Thread: the writer's.
 */
final class Retention {
    private final Path store;
    private final int keep;
    private final Set<Long> whole = new HashSet<>();
    private final Map<Long, BrokenCheckpoint> broken = new HashMap<>();

    Retention(Path store, int keep) {
        this.store = store;
        this.keep = keep;
    }

    /** Step {@code written} is on the disk: removes what is too old; returns what to tell. */
    List<String> after(long written) {
        whole.add(written);
        broken.remove(written);
        List<String> notes = new ArrayList<>();
        try {
            int counted = 0;
            for (long step : CheckpointFolder.steps(store)) {
                if (counted >= keep && step != written) {
                    remove(step);
                } else if (isWhole(step, notes)) {
                    counted++;
                }
            }
        } catch (IOException e) {
            notes.add("old checkpoints could not be removed: " + e.getMessage());
        }
        return notes;
    }

    private void remove(long step) throws IOException {
        AtomicFolder.delete(CheckpointFolder.of(store, step));
        whole.remove(step);
        broken.remove(step);
    }

    private boolean isWhole(long step, List<String> notes) {
        if (whole.contains(step)) {
            return true;
        }
        if (broken.containsKey(step)) {
            return false;
        }
        if (CheckpointFolder.read(store, step) instanceof BrokenCheckpoint found) {
            broken.put(step, found);
            notes.add("a broken checkpoint is not counted: " + found);
            return false;
        }
        whole.add(step);
        return true;
    }
}
