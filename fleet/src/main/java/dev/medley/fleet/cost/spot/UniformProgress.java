package dev.medley.fleet.cost.spot;

/**
 * Keeps up with the straight line from nothing done at the start to all done at the deadline. After
 * Wu et al., Can't Be Late (NSDI 2024, section 4.3); it has no parameters.
 *
 * <ul>
 *   <li>A spot machine is taken whenever one is up, and kept until it is taken away.
 *   <li>Without one it waits while its progress is on the line, and goes on demand below it.
 *   <li>On demand it stays until it is ahead of the line by two restarts.
 * </ul>
 *
 * <p>Over several zones the cheapest spot machine is taken. It needs {@link SafetyNet}.
 */
public final class UniformProgress implements SpotPolicy {
    @Override
    public String name() {
        return "uniform-progress";
    }

    @Override
    public SpotChoice choose(SpotState state) {
        SpotJob job = state.job();
        double doneS = job.workS() - state.remainingS();
        double rate = job.workS() / job.deadlineS();
        double lineS = state.nowS() * rate;
        SpotPlace spot = GreedySpot.cheapest(state);
        if (state.held().kind() == SpotPlace.Kind.ON_DEMAND) {
            double aheadS = (state.nowS() + 2 * job.restartS()) * rate;
            boolean leaves = spot.runs() && doneS > aheadS;
            return leaves
                    ? said(state, spot, "ahead of the line by two restarts")
                    : said(state, state.held(), "kept until it is ahead by two restarts");
        }
        if (spot.runs()) {
            return said(state, spot, "spot while there is some");
        }
        return doneS < lineS
                ? said(state, state.cheapestOnDemand(), "behind the line and no spot machine")
                : said(state, state.held().waiting(), "on the line, and no spot machine");
    }

    private static SpotChoice said(SpotState state, SpotPlace place, String why) {
        SpotJob job = state.job();
        return SpotChoice.of(
                place,
                "%s: %.1f %% of the work is done in %.1f %% of the time.",
                Character.toUpperCase(why.charAt(0)) + why.substring(1),
                100 * (job.workS() - state.remainingS()) / job.workS(),
                100 * state.nowS() / job.deadlineS());
    }
}
