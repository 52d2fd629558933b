package dev.medley.training.loop;

import dev.medley.base.memory.Batch;
import dev.medley.tensor.model.Learner;

/**
 * Watches over bf16 with {@code precision: auto}: evaluates some samples of a batch in both
 * precisions now and then. A rank whose losses differ too much wishes for fp32 in the tail of the
 * step, and then all ranks change over together and for good.
 */
final class PrecisionGuard {
    /**
     * Batches of all workers between two comparisons; the first comes early, when most goes wrong.
     */
    private static final long EVERY_BATCHES = 250;

    private static final long FIRST_BATCH = 10;
    private static final int MOST_SAMPLES = 32;

    /** Losses that differ by more than this part are no longer the same training. */
    static final double TOLERANCE = 0.02;

    private final Learner learner;

    PrecisionGuard(Learner learner) {
        this.learner = learner;
    }

    /** Whether this step is one at which the precisions are compared, on all ranks alike. */
    static boolean isDue(StepSchedule schedule, long step) {
        return schedule.takes(step, FIRST_BATCH) || schedule.completes(step, EVERY_BATCHES);
    }

    /** Whether bf16 is too far from fp32 on the first samples of a batch. */
    boolean isTooCoarse(Batch batch) {
        if (batch.samples() == 0) {
            return false;
        }
        Batch some = batch.rows(0, Math.min(MOST_SAMPLES, batch.samples()));
        return differs(learner.lossInBf16(some), learner.evaluate(some).lossSum());
    }

    /** The decision itself: true also if bf16 gives no finite number where fp32 does. */
    static boolean differs(double bf16, double fp32) {
        if (!Double.isFinite(fp32)) {
            return false;
        }
        return !(Math.abs(bf16 - fp32) <= TOLERANCE * Math.max(Math.abs(fp32), 1e-3));
    }
}
