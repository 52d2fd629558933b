package dev.medley.fleet.cost.spot;

/**
 * Runs on the cheapest spot machine there is, stays until it is taken away, and waits while there
 * is none: the greedy policy of Can't Be Late (NSDI 2024, section 3). It needs {@link SafetyNet}.
 */
public final class GreedySpot implements SpotPolicy {
    @Override
    public String name() {
        return "greedy";
    }

    @Override
    public SpotChoice choose(SpotState state) {
        boolean caught =
                state.held().kind() == SpotPlace.Kind.ON_DEMAND
                        && state.slackS() < state.job().restartS() + state.job().stepS();
        SpotPlace spot = caught ? SpotPlace.NOWHERE : cheapest(state);
        if (spot.runs()) {
            return SpotChoice.of(
                    spot,
                    "Spot in %s at %.2f an hour.",
                    state.quotes().get(spot.zone()).zone(),
                    state.perHour(spot));
        }
        return caught
                ? new SpotChoice(state.held(), "On demand: there is no time for one more start.")
                : new SpotChoice(state.held().waiting(), "No spot machine is up, so it waits.");
    }

    /** The spot machine it holds, or else the cheapest that is up; nowhere if none is. */
    static SpotPlace cheapest(SpotState state) {
        if (state.held().kind() == SpotPlace.Kind.SPOT) {
            return state.held();
        }
        SpotPlace best = SpotPlace.NOWHERE;
        double least = Double.POSITIVE_INFINITY;
        double hours = (state.remainingS() + state.job().restartS()) / 3600;
        for (int zone = 0; zone < state.quotes().size(); zone++) {
            SpotQuote quote = state.quotes().get(zone);
            double cost = state.egressTo(zone) + hours * quote.spotPerHour();
            if (quote.up() && cost < least) {
                least = cost;
                best = SpotPlace.spot(zone);
            }
        }
        return best;
    }
}
