package dev.medley.net.membership;

/**
 * Makes "apply a step" and "seal the epoch" exclude each other, for one worker's seat in a group.
 * Either the step was applied before the seal and the report counts it, or it can never be applied.
 *
 * <p>Thread: a monitor, shared by the training thread, which applies, and the control thread, which
 * seals.
 */
public final class Seat {
    private int epoch;
    private boolean sealed = true;
    private Progress progress;

    /** A seat of a worker that holds a state of this progress. */
    public Seat(Progress progress) {
        this.progress = progress;
    }

    /**
     * Takes part in a new epoch. Nothing of an earlier one can be applied any more.
     *
     * @return false if the epoch was sealed before it began here
     */
    public synchronized boolean enter(int newEpoch) {
        if (newEpoch <= epoch) {
            return false;
        }
        epoch = newEpoch;
        sealed = false;
        return true;
    }

    /**
     * Runs {@code change} and moves to {@code next}, unless the epoch is sealed.
     *
     * @return whether the change was made
     */
    public synchronized boolean apply(int ofEpoch, Progress next, Runnable change) {
        if (sealed || ofEpoch != epoch) {
            return false;
        }
        change.run();
        progress = next;
        return true;
    }

    /** Whether a step of this epoch could be applied now; for who would compute in vain else. */
    public synchronized boolean isOpen(int ofEpoch) {
        return !sealed && ofEpoch == epoch;
    }

    /** The worker has loaded a state of this progress, before its first epoch. */
    public synchronized void hold(Progress loaded) {
        progress = loaded;
    }

    /**
     * The state is about to be overwritten by a copy: until {@link #apply} it is worth nothing.
     *
     * @return false if the epoch is sealed: what was reported then has to stay
     */
    public synchronized boolean forget(int ofEpoch) {
        if (sealed || ofEpoch != epoch) {
            return false;
        }
        progress = Progress.NONE;
        return true;
    }

    /**
     * Seals the epoch: none of its steps can be applied from now on.
     *
     * @return the last progress
     */
    public synchronized Progress seal(int ofEpoch) {
        if (ofEpoch >= epoch) {
            epoch = ofEpoch;
            sealed = true;
        }
        return progress;
    }

    /** The last progress. */
    public synchronized Progress progress() {
        return progress;
    }
}
