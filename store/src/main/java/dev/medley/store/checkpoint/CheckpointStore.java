package dev.medley.store.checkpoint;

import dev.medley.base.Fault;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.SpanSource;
import dev.medley.base.time.Clock;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.file.WritableFolder;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the checkpoints of one run in a folder of its own. An offer copies the state and returns; a
 * thread writes the copy while training continues. A checkpoint that is found later is whole and
 * equal to what was offered at its step, wherever the process was killed.
 *
 * <p>Thread: one caller offers, finishes and closes; {@link #latest} may be called from any thread.
 */
public final class CheckpointStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointStore.class);
    private static final int MOST_LOOKS = 20;
    private static final long CLOSE_TIMEOUT_NS = 120_000_000_000L;

    /** A copy of a state that the writer has. */
    private record Job(CheckpointState copy, long wallMillis) {}

    private final Path folder;
    private final Clock clock;
    private final StagingMemory memory;
    private final Retention retention;
    private final Thread writer;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by lock: set from staging until the end of the write. */
    private @Nullable Job underWay;

    /** Guarded by lock: ended writes that the caller has not seen. */
    private final List<WriteResult> finished = new ArrayList<>();

    /** Guarded by lock. */
    private boolean isClosed;

    /**
     * Opens the store, making its folder; what a killed process left half-written is removed.
     *
     * @param folder of this run alone; a {@link dev.medley.base.ConfigException} says if it cannot
     *     be written
     * @param keep whole checkpoints kept, at least 1
     * @param clock for the cost and the date of a checkpoint
     */
    public CheckpointStore(Path folder, int keep, Clock clock) {
        this(folder, keep, clock, SpanSource.NATIVE);
    }

    /**
     * The same with memory of some kind for copies of the state.
     *
     * @param staging as long as the state
     */
    public CheckpointStore(Path folder, int keep, Clock clock, SpanSource staging) {
        this.memory = new StagingMemory(staging);
        if (keep < 1) {
            throw new IllegalArgumentException("keep " + keep);
        }
        this.folder = folder.toAbsolutePath();
        this.clock = clock;
        this.retention = new Retention(this.folder, keep);
        WritableFolder.require(this.folder, 0);
        try {
            AtomicFile.sweep(this.folder);
        } catch (WriteFailure e) {
            throw e.asConfigException();
        }
        this.writer = new Thread(this::writeUntilClosed, "checkpoint-writer");
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Makes staging memory for states like this one before the first step, so that the first offer
     * costs no more than later ones. Called before any offer; a state that does not fit is refused
     * when it is offered.
     */
    public void reserve(List<NamedSpan> spans) {
        lock.lock();
        try {
            if (underWay == null) {
                memory.reserve(StagingMemory.bytesFor(spans));
            }
        } catch (OutOfMemoryError e) {
            LOG.debug("no memory to stage checkpoints yet", e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stages a copy of the state and returns; skips it if an earlier one is still being written.
     * The spans must not change during the call and may change after it.
     */
    public OfferOutcome offer(CheckpointState state) {
        return offerWaiting(state, 0);
    }

    /**
     * The same, but waits up to {@code timeoutNs} for an earlier write to end: for the last state
     * of a run.
     */
    public OfferOutcome offerWaiting(CheckpointState state, long timeoutNs) {
        long startNs = clock.nowNs();
        lock.lock();
        try {
            if (isClosed) {
                throw new IllegalStateException("the checkpoint store is closed");
            }
            Job earlier = awaitIdle(timeoutNs);
            if (earlier != null) {
                return skipped(state, earlier.copy().step(), startNs);
            }
            return stage(state, startNs);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits up to {@code timeoutNs} for the write under way, and returns the writes that ended
     * since the last call. One that has not ended by then is reported as failed now, and once more
     * when it ends.
     */
    public List<WriteResult> finish(long timeoutNs) {
        lock.lock();
        try {
            Job late = awaitIdle(timeoutNs);
            List<WriteResult> results = drain();
            if (late != null) {
                String message =
                        "the checkpoint of step %d is still being written after %d ms more"
                                .formatted(late.copy().step(), timeoutNs / 1_000_000);
                results.add(failed(late, message));
            }
            return results;
        } finally {
            lock.unlock();
        }
    }

    /** The writes that ended since the last call; waits for none. */
    public List<WriteResult> ended() {
        lock.lock();
        try {
            return drain();
        } finally {
            lock.unlock();
        }
    }

    /** The newest whole checkpoint of this store: see {@link #latest(Path)}. */
    public LatestCheckpoint latest() {
        return latest(folder);
    }

    /**
     * The newest whole checkpoint in a folder: its manifest is there, the sizes and checksums of
     * its files are right. Newer ones that are broken are passed over and named. Reads every byte
     * once; a folder that is not there holds none. Where another process writes newer ones and
     * removes what is being read, it looks again.
     */
    public static LatestCheckpoint latest(Path folder) {
        try {
            AtomicFile.sweep(folder);
        } catch (WriteFailure e) {
            LOG.debug("leftovers stay in a folder that is read-only or being swept", e);
        }
        try {
            List<Long> steps = CheckpointFolder.steps(folder);
            LatestCheckpoint latest = newestOf(folder, steps);
            for (int again = 0; again < MOST_LOOKS && !latest.passedOver().isEmpty(); again++) {
                List<Long> now = CheckpointFolder.steps(folder);
                if (now.equals(steps)) {
                    return latest;
                }
                steps = now; // A run that goes on has removed one while it was read.
                latest = newestOf(folder, steps);
            }
            return latest;
        } catch (IOException e) {
            String message = "cannot be read: " + e.getMessage();
            return new LatestCheckpoint(null, List.of(new BrokenCheckpoint(folder, 0, message)));
        }
    }

    private static LatestCheckpoint newestOf(Path folder, List<Long> steps) {
        List<BrokenCheckpoint> passedOver = new ArrayList<>();
        for (long step : steps) {
            FoundCheckpoint found = CheckpointFolder.read(folder, step);
            if (found instanceof Checkpoint checkpoint) {
                return new LatestCheckpoint(checkpoint, passedOver);
            }
            passedOver.add((BrokenCheckpoint) found);
        }
        return new LatestCheckpoint(null, passedOver);
    }

    /**
     * Reads what the manifest of a checkpoint says: of the newest up to that step whose manifest is
     * whole. That is quick, since of its arrays nothing is read.
     */
    public static Optional<CheckpointSummary> said(Path folder, long upTo) {
        try {
            return CheckpointFolder.steps(folder).stream()
                    .filter(step -> step <= upTo)
                    .flatMap(step -> CheckpointFolder.said(folder, step).stream())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether a folder holds a whole checkpoint of that step or of a later one. Those are read,
     * every byte of them once, the newest first, until one is whole.
     */
    public static boolean holds(Path folder, long step) {
        try {
            return CheckpointFolder.steps(folder).stream()
                    .takeWhile(kept -> kept >= step)
                    .anyMatch(kept -> CheckpointFolder.read(folder, kept) instanceof Checkpoint);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a process that lives, this one left out, is building a checkpoint in a folder. */
    public static boolean isBeingWritten(Path folder) {
        return AtomicFolder.isBuiltBeside(folder);
    }

    /**
     * Waits up to two minutes for the write under way, then gives it up, and ends the writer. The
     * log names failed writes that nobody fetched.
     */
    @Override
    public void close() {
        for (WriteResult result : finish(CLOSE_TIMEOUT_NS)) {
            if (result instanceof WriteResult.Failed failed) {
                LOG.warn("{}", failed.fault().message());
            }
        }
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        writer.interrupt();
    }

    /**
     * Removes all but the newest checkpoints of a folder that another process fills; what cannot be
     * removed stays.
     *
     * @param needed folders that stay, too
     */
    public static void keepNewest(Path folder, int keep, Set<Path> needed) {
        try {
            List<Long> steps = CheckpointFolder.steps(folder);
            for (long step : steps.subList(Math.min(keep, steps.size()), steps.size())) {
                Path old = CheckpointFolder.of(folder, step);
                if (!needed.contains(old)) {
                    AtomicFolder.delete(old);
                }
            }
        } catch (IOException e) {
            LOG.warn("old checkpoints in {} could not be removed: {}", folder, e.toString());
        }
    }

    /** Null once nothing is under way, else what still is when the time is up. */
    private @Nullable Job awaitIdle(long timeoutNs) {
        try {
            for (long left = timeoutNs; underWay != null && left > 0; ) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return underWay;
    }

    private OfferOutcome stage(CheckpointState state, long startNs) {
        List<NamedSpan> copies;
        try {
            copies = memory.copy(state.spans());
        } catch (OutOfMemoryError e) {
            String message =
                    "checkpoint of step %d left out: no %d bytes of native memory to stage it: %s"
                            .formatted(state.step(), state.bytes(), e.getMessage());
            return staging(state, OfferOutcome.Status.REFUSED, message, startNs);
        }
        CheckpointState copy =
                new CheckpointState(
                        state.step(),
                        state.epoch(),
                        state.planVersion(),
                        copies,
                        state.extra().deepCopy());
        underWay = new Job(copy, clock.wallMillis());
        changed.signalAll();
        String message = "checkpoint of step %d staged".formatted(state.step());
        return staging(state, OfferOutcome.Status.STAGED, message, startNs);
    }

    private OfferOutcome skipped(CheckpointState state, long earlier, long startNs) {
        String message =
                "checkpoint of step %d left out: that of step %d is still being written"
                        .formatted(state.step(), earlier);
        return staging(state, OfferOutcome.Status.SKIPPED, message, startNs);
    }

    private OfferOutcome staging(
            CheckpointState state, OfferOutcome.Status status, String message, long startNs) {
        long bytes = status == OfferOutcome.Status.STAGED ? state.bytes() : 0;
        return new OfferOutcome(
                state.step(), status, message, bytes, clock.nowNs() - startNs, drain());
    }

    private List<WriteResult> drain() {
        List<WriteResult> results = new ArrayList<>(finished);
        finished.clear();
        return results;
    }

    private void writeUntilClosed() {
        for (Job job = next(); job != null; job = next()) {
            WriteResult result = write(job);
            lock.lock();
            try {
                finished.add(result);
                underWay = null;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private @Nullable Job next() {
        lock.lock();
        try {
            while (underWay == null && !isClosed) {
                changed.await();
            }
            return isClosed ? null : underWay;
        } catch (InterruptedException e) {
            return null; // only close() interrupts
        } finally {
            lock.unlock();
        }
    }

    private WriteResult write(Job job) {
        long startNs = clock.nowNs();
        long step = job.copy().step();
        try {
            long bytes = CheckpointFolder.write(folder, job.copy(), job.wallMillis());
            long writingNs = clock.nowNs() - startNs;
            List<String> notes = retention.after(step);
            return new WriteResult.Written(
                    step, CheckpointFolder.of(folder, step), bytes, writingNs, notes);
        } catch (WriteFailure e) {
            return failed(job, "checkpoint of step %d: %s".formatted(step, e.getMessage()));
        } catch (RuntimeException | Error e) {
            LOG.error("checkpoint of step {} failed", step, e);
            return failed(job, "checkpoint of step %d: %s".formatted(step, e));
        }
    }

    private WriteResult failed(Job job, String message) {
        return new WriteResult.Failed(
                job.copy().step(), new Fault(Fault.Kind.STORE, folder.toString(), message));
    }
}
