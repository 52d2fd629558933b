package dev.medley.net.control;

import static dev.medley.net.control.Bounds.atLeast;

import org.jspecify.annotations.Nullable;

/**
 * The state of a run that one of its kept folders holds.
 *
 * @param epoch of the group that held the state; 0 where nobody knows
 * @param step last applied step of the state
 * @param figure of the deciding metric; null for none
 */
public record KeptState(int epoch, long step, @Nullable Double figure) {
    /** Of a folder that an earlier process kept. */
    public static final KeptState UNKNOWN = new KeptState(0, 0, null);

    public KeptState {
        atLeast("epoch", epoch, 0);
        atLeast("step", step, 0);
    }

    /**
     * Whether the run has come further since: to another step, or to another group, for which what
     * this one did beyond its first step is void.
     */
    public boolean isBefore(KeptState other) {
        return epoch < other.epoch || (epoch == other.epoch && step < other.step);
    }
}
