package dev.medley.training.rounds;

import dev.medley.base.round.Grace;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.time.Clock;
import dev.medley.training.strategy.Part.Patience;

/**
 * Decides how this worker's part of a round ends. All tell all others when they are done. When the
 * quorum is done, each of the others has the grace left, by its own clock: it stops before a batch
 * that would take longer and hands over what it has done; or it is in a batch when the time is up,
 * and another thread than the one that computes stands in for it.
 *
 * <pre>
 *     closed --begin--> open --close--> closed           this worker hands over
 *                       open --time is up--> late --close--> closed    a stand-in does
 * </pre>
 *
 * <p>Workers need no agreement on which are late: what a rank gives to the sum stands in its row of
 * the round's table, which all have alike.
 *
 * <p>Thread: a monitor, of the training thread and the post's.
 */
final class RoundEnd {
    private final QuorumSpec spec;
    private final int quorum;
    private final Clock clock;
    private final Alarms alarms;
    private final long[] doneStep;

    private State state = State.CLOSED;
    private long step;
    private Patience patience = Patience.ALL;
    private long beganNs;
    private Runnable standIn = () -> {};

    /** The last round whose quorum was done, and when. */
    private long quorumStep;

    private long quorumNs;

    private enum State {
        CLOSED,
        OPEN,
        LATE
    }

    /** Sets the one alarm that there is. */
    @FunctionalInterface
    interface Alarms {
        /** Does something when the clock reads so much, on another thread. */
        void set(long atNs, Runnable action);
    }

    RoundEnd(QuorumSpec spec, int size, Clock clock, Alarms alarms) {
        this.spec = spec;
        this.quorum = spec.workers(size);
        this.clock = clock;
        this.alarms = alarms;
        this.doneStep = new long[size];
    }

    /**
     * This worker begins a round.
     *
     * @param gives what a stand-in does where the time is up before this worker has closed its part
     */
    synchronized void begin(long ofStep, Patience with, Runnable gives) {
        step = ofStep;
        patience = with;
        standIn = gives;
        beganNs = clock.nowNs();
        state = State.OPEN;
        watch();
    }

    /** A rank is done with a round. */
    synchronized void done(int rank, long ofStep) {
        doneStep[rank] = ofStep;
        if (quorumStep < ofStep && count(ofStep) >= quorum) {
            quorumStep = ofStep;
            quorumNs = clock.nowNs();
            watch();
        }
    }

    /** Whether this worker begins another batch, after one that took so long. */
    synchronized Grace decide(long batchNs) {
        if (state == State.LATE) {
            return new Grace(false, "the round has ended meanwhile");
        }
        if (patience == Patience.ALL) {
            return new Grace(true, "the last round of an epoch waits for all");
        }
        boolean isQuorum = quorumStep >= step;
        return Grace.decide(
                count(step),
                quorum,
                doneStep.length,
                isQuorum ? clock.nowNs() - quorumNs : -1,
                isQuorum ? graceNs() : 0,
                batchNs);
    }

    /** This worker's part is over; whether it is to hand it over itself, since it is in time. */
    synchronized boolean close() {
        boolean isInTime = state == State.OPEN;
        state = State.CLOSED;
        return isInTime;
    }

    private long graceNs() {
        return spec.graceNs(quorumNs - beganNs);
    }

    /** Sets the alarm for the end of the grace, if that is known. */
    private void watch() {
        if (state == State.OPEN && patience == Patience.NONE && quorumStep >= step) {
            long ofStep = step;
            alarms.set(quorumNs + graceNs(), () -> ended(ofStep));
        }
    }

    private synchronized void ended(long ofStep) {
        if (state == State.OPEN && step == ofStep) {
            state = State.LATE;
            standIn.run();
        }
    }

    private int count(long ofStep) {
        int count = 0;
        for (long each : doneStep) {
            count += each >= ofStep ? 1 : 0;
        }
        return count;
    }
}
