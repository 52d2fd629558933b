package dev.medley.profile.span;

import dev.medley.base.Clock;
import java.util.Arrays;

/**
 * Accounts for the time of a step, one clock reading per change of phase and no allocation but the
 * result. Owned by the training thread.
 *
 * <pre>{@code
 * timer.begin();
 * timer.enter(Phase.DATA);      Batch batch = stream.next();
 * timer.enter(Phase.COMPUTE);   replica.forwardBackward(batch, ...);
 * timer.enter(Phase.EXCHANGE);  collective.finish();
 * timer.move(Phase.EXCHANGE, Phase.WAITING, collective.times().waitingNs());
 * StepTimes times = timer.end();
 * }</pre>
 */
@SuppressWarnings("EnumOrdinal") // A phase is an index of spentNs: no map on the hot path.
public final class StepTimer {
    /** What the training thread is busy with. */
    public enum Phase {
        /** Forward, backward and update. */
        COMPUTE,
        /** Moving and summing buckets. */
        EXCHANGE,
        /** Waiting for other workers. */
        WAITING,
        /** Waiting for the next batch. */
        DATA,
        /** Everything else. */
        OTHER
    }

    private static final int PHASES = Phase.values().length;

    private final Clock clock;
    private final long[] spentNs = new long[PHASES];
    private Phase phase = Phase.OTHER;
    private long beganNs;
    private long enteredNs;

    /** A timer that reads {@code clock}. */
    public StepTimer(Clock clock) {
        this.clock = clock;
        begin();
    }

    /** A new step begins now, in phase OTHER; what was counted before is forgotten. */
    public void begin() {
        Arrays.fill(spentNs, 0);
        phase = Phase.OTHER;
        beganNs = clock.nowNs();
        enteredNs = beganNs;
    }

    /** From now on time counts for {@code next}; returns the phase that ended, to go back to it. */
    public Phase enter(Phase next) {
        Phase before = phase;
        settle(clock.nowNs());
        phase = next;
        return before;
    }

    /**
     * Part of what was counted for {@code from} was in truth {@code to}, as far as {@code from} has
     * that much.
     */
    public void move(Phase from, Phase to, long ns) {
        settle(clock.nowNs());
        long moved = Math.max(0, Math.min(ns, spentNs[from.ordinal()]));
        spentNs[from.ordinal()] -= moved;
        spentNs[to.ordinal()] += moved;
    }

    /** The step ends now; the timer may begin the next. */
    public StepTimes end() {
        long nowNs = clock.nowNs();
        settle(nowNs);
        return new StepTimes(
                nowNs - beganNs,
                spent(Phase.COMPUTE),
                spent(Phase.EXCHANGE),
                spent(Phase.WAITING),
                spent(Phase.DATA));
    }

    private void settle(long nowNs) {
        spentNs[phase.ordinal()] += nowNs - enteredNs;
        enteredNs = nowNs;
    }

    private long spent(Phase of) {
        return spentNs[of.ordinal()];
    }
}
