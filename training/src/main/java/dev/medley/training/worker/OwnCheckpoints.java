package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.memory.SpanSource;
import dev.medley.base.time.Clock;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.WriteResult;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens the store of the checkpoints that this worker writes, once it is the one that keeps them.
 * Where the folder cannot be written then, a run that has taken steps does not end for it: this
 * reports so, and tries again, once a second at most.
 */
final class OwnCheckpoints implements AutoCloseable {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private final Path folder;
    private final int keep;
    private final Clock clock;
    private final SpanSource staging;
    private final Consumer<String> tell;
    private @Nullable CheckpointStore store;
    private boolean isInTrouble;
    private long triedNs;

    /**
     * In a folder that need not be there.
     *
     * @param keep so many whole ones
     * @param staging memory for copies of the state
     * @param tell one sentence when the folder cannot be written
     */
    OwnCheckpoints(Path folder, int keep, Clock clock, SpanSource staging, Consumer<String> tell) {
        this.staging = staging;
        this.folder = folder;
        this.keep = keep;
        this.clock = clock;
        this.tell = tell;
    }

    Path folder() {
        return folder;
    }

    /** Opened now, if it was not; a {@link ConfigException} says why it cannot be. */
    CheckpointStore store() {
        CheckpointStore open = store;
        if (open == null) {
            open = new CheckpointStore(folder, keep, clock, staging);
            store = open;
            isInTrouble = false;
        }
        return open;
    }

    /** Whether it is open, or can be opened. */
    boolean canBeWritten() {
        if (store != null) {
            return true;
        }
        if (isInTrouble && clock.nowNs() - triedNs < RETRY_NS) {
            return false;
        }
        triedNs = clock.nowNs();
        try {
            CheckpointStore unused = store();
            return true;
        } catch (ConfigException e) {
            if (!isInTrouble) {
                tell.accept(
                        "no checkpoint is kept until its folder can be written: " + e.getMessage());
            }
            isInTrouble = true;
            return false;
        }
    }

    /** Writes that ended since this was asked last. */
    List<WriteResult> ended() {
        return store == null ? List.of() : store.ended();
    }

    /** The same after what is under way, if it ends within that time. */
    List<WriteResult> finish(long timeoutNs) {
        return store == null ? List.of() : store.finish(timeoutNs);
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
        }
    }
}
