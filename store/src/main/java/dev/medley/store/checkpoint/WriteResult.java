package dev.medley.store.checkpoint;

import dev.medley.base.Fault;
import java.nio.file.Path;
import java.util.List;

/** The outcome of writing a staged checkpoint. */
public sealed interface WriteResult {
    /** Step of the checkpoint. */
    long step();

    /**
     * It is on the disk, whole.
     *
     * @param folder of the checkpoint
     * @param bytes of all its files
     * @param writingNs on the writer's thread, beside training
     * @param notes sentences: checkpoints that are broken and not counted, or could not be removed
     */
    record Written(long step, Path folder, long bytes, long writingNs, List<String> notes)
            implements WriteResult {
        public Written {
            notes = List.copyOf(notes);
        }
    }

    /**
     * It could not be written; earlier checkpoints are as they were.
     *
     * @param fault says why, with bytes needed and free when the disk is full
     */
    record Failed(long step, Fault fault) implements WriteResult {}
}
