package dev.medley.training.worker;

import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.time.Clock;
import dev.medley.net.membership.View;
import dev.medley.training.loop.TrainingState;
import dev.medley.training.loop.WorkerState;

/**
 * Adds the run's training time to its state, for checkpoints and copies, and tells when {@code
 * train.time} is used up. It counts from the first group on, with what lies between groups.
 */
final class TrainingTime {
    private final WorkerState state;
    private final long mostNs;
    private final Clock clock;
    private long countedNs; // What passed until then is in the state.
    private boolean hasBegun;

    /** Of a run whose time {@code budget} limits, if it says so. */
    TrainingTime(WorkerState state, Budget budget, Clock clock) {
        this.state = state;
        this.mostNs = (long) (budget.seconds() * 1e9);
        this.clock = clock;
    }

    /** A group begins. The state that a member behind is about to copy has the time before it. */
    void formed(View view, int rank) {
        if (!hasBegun || view.behind().contains(rank)) {
            countedNs = clock.nowNs();
        }
        hasBegun = true;
    }

    /** What has passed is from now on part of the {@link TrainingState}. */
    void count() {
        if (hasBegun) {
            long nowNs = clock.nowNs();
            state.trained(nowNs - countedNs);
            countedNs = nowNs;
        }
    }

    /** Whether nothing is left of the time, if it is limited. */
    boolean isUp() {
        return mostNs > 0 && state.state().trainedNs() + clock.nowNs() - countedNs > mostNs;
    }
}
