package dev.medley.training.worker;

import dev.medley.base.time.Clock;
import dev.medley.store.checkpoint.CheckpointStore;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Decides which of the workers without a coordinator writes what they hold. They cannot ask each
 * other any more; they see of each other only the folder of checkpoints, if they have one in
 * common. Rank 0 writes at once. Each other one watches for a while whether another does, the
 * longer the higher its rank, and waits for a write that is under way.
 *
 * @param folder of checkpoints
 */
record Orphans(Path folder, Clock clock) {
    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long EACH_RANK_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long LONGEST_WRITE_NS = TimeUnit.SECONDS.toNanos(60);

    /** Waits, if need be; whether the state after that step is kept by another worker. */
    boolean keep(long step, int rank) {
        long beganNs = clock.awakeNs();
        while (!CheckpointStore.holds(folder, step)) {
            long waitedNs = clock.awakeNs() - beganNs;
            boolean isUnderWay = CheckpointStore.isBeingWritten(folder);
            if (waitedNs >= (isUnderWay ? LONGEST_WRITE_NS : rank * EACH_RANK_NS)) {
                return false;
            }
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        }
        return true;
    }
}
