package dev.medley.fleet.cost.spot;

/**
 * Keeps a policy from missing the deadline: after each step there is still time to start a machine
 * on demand and to finish on it, whatever becomes of spot machines (the safety net of Wu et al.,
 * Can't Be Late, NSDI 2024, section 4). Where the policy's choice would use up that time, the job
 * goes to the cheapest machine on demand and stays there.
 *
 * <p>Promise: with a machine on demand always to be had, a step's work done in a step, and a state
 * that was safe before, no deadline is missed.
 */
public record SafetyNet(SpotPolicy policy) implements SpotPolicy {
    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public SpotChoice choose(SpotState state) {
        SpotChoice choice = policy.choose(state);
        if (isSafe(state, choice.place())) {
            return choice;
        }
        return SpotChoice.of(
                state.cheapestOnDemand(),
                "On demand from now on: %.1f h of work and %.1f h to the deadline leave no time to"
                        + " lose.",
                state.remainingS() / 3600,
                (state.job().deadlineS() - state.nowS()) / 3600);
    }

    /** Whether a machine on demand, started after this step, would still finish in time. */
    static boolean isSafe(SpotState state, SpotPlace place) {
        if (place.kind() == SpotPlace.Kind.ON_DEMAND) {
            return state.wholeRemainingS() + state.overheadS(place)
                    <= state.job().deadlineS() - state.nowS();
        }
        boolean computes = place.kind() == SpotPlace.Kind.SPOT && state.overheadS(place) == 0;
        return state.slackS() >= (computes ? 0 : state.job().stepS());
    }
}
