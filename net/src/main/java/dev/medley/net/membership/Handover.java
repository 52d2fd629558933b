package dev.medley.net.membership;

import dev.medley.base.WorkerId;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the newest checkpoint of a run, and the one that its last member writes for the workers
 * that come after it. While that writes, nobody resumes from an older state; once a checkpoint is
 * kept, and no member holds as much, workers that came before it are of no use.
 *
 * <p>Thread: only the coordinator's agent.
 */
final class Handover {
    /** Longer than a worker that leaves gets to write and to bring what it holds. */
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(5);

    private @Nullable WorkerId writer;
    private long writtenStep;
    private long untilNs = Long.MAX_VALUE;
    private long keptStep = -1;
    private int newest; // Worker that was started before it was kept.

    /** The last member leaves and writes what it holds. */
    void begin(WorkerId last, Progress holds) {
        writer = last;
        writtenStep = holds.step();
        untilNs = Long.MAX_VALUE;
    }

    boolean isUnderWay() {
        return writer != null;
    }

    /**
     * A worker that was to leave is gone.
     *
     * @param step of the newest checkpoint that the run has
     * @param started the newest worker
     */
    void parted(WorkerId worker, long step, WorkerId started) {
        if (worker.equals(writer)) {
            writer = null;
            if (step >= writtenStep) {
                kept(writtenStep, started);
            }
        }
    }

    /** A checkpoint is kept where workers find it that start after {@code started}. */
    void kept(long step, WorkerId started) {
        if (step > keptStep) {
            keptStep = step;
            newest = started.value();
        }
    }

    /** Time passes: who does not come to an end is not waited for. */
    void tick(long nowNs) {
        if (writer == null) {
            return;
        }
        if (untilNs == Long.MAX_VALUE) {
            untilNs = nowNs + PATIENCE_NS;
        }
        if (nowNs > untilNs) {
            writer = null;
        }
    }

    /** The step after which the last state was kept; -1 before there is one. */
    long keptStep() {
        return keptStep;
    }

    /** Whether it was started too early to know what was kept. */
    boolean isOlder(WorkerId worker) {
        return worker.value() <= newest;
    }
}
