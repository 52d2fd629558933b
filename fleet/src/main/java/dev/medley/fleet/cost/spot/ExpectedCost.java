package dev.medley.fleet.cost.spot;

/**
 * Takes what costs least in expectation until the deadline, in a market without memory whose rates
 * are those seen so far: {@link SpotOutlook} says what is expected, {@link WaitingCost} computes
 * what it costs to wait and what to go on demand.
 *
 * <p>Where spot machines are up the one is taken whose progress is expected to cost least, restarts
 * and egress included; it is left for another one when that saves more than the move costs. Time
 * that a restart takes counts at the on-demand price, since it may have to be bought back. Going on
 * demand has to save a fiftieth of an hour's price for each hour to spare. It needs {@link
 * SafetyNet}.
 */
public final class ExpectedCost implements SpotPolicy {
    /** Part of an hour on demand that going there has to save, for each hour to spare. */
    private static final double PATIENCE = 0.02;

    @Override
    public String name() {
        return "expected-cost";
    }

    @Override
    public SpotChoice choose(SpotState state) {
        SpotPlace spot = cheapestProgress(state);
        if (spot.runs() && state.held().kind() != SpotPlace.Kind.ON_DEMAND) {
            return SpotChoice.of(
                    spot,
                    "Spot in %s at %.2f an hour: its progress is the cheapest there is, with %.1f h"
                            + " to live.",
                    state.quotes().get(spot.zone()).zone(),
                    state.perHour(spot),
                    state.quotes().get(spot.zone()).lives().lifeLeftS() / 3600);
        }
        WaitingCost costs = WaitingCost.of(state, SpotOutlook.of(state, spot));
        double onDemand = costs.onDemand() + commits(state);
        double least = Math.min(costs.waiting(), Math.min(onDemand, costs.spot()));
        SpotPlace place =
                onDemand == least
                        ? state.cheapestOnDemand()
                        : costs.spot() == least ? spot : state.held().waiting();
        return SpotChoice.of(
                place,
                "Expected until the end: %.2f on demand now, %.2f waiting for a spot machine%s.",
                costs.onDemand(),
                costs.waiting(),
                spot.runs() ? ", %.2f going to one".formatted(costs.spot()) : "");
    }

    /**
     * What is lost by going on demand now: who has time to spare can still do so later, and what
     * was seen of a market says less of times further ahead. Nothing where it is on demand already.
     */
    private static double commits(SpotState state) {
        boolean isThere = state.held().kind() == SpotPlace.Kind.ON_DEMAND;
        double hours = isThere ? 0 : Math.max(0, state.slackS()) / 3600;
        return PATIENCE * hours * state.perHour(state.cheapestOnDemand());
    }

    /** The spot machine that makes progress for least; nowhere if none is up. */
    private static SpotPlace cheapestProgress(SpotState state) {
        SpotPlace best = SpotPlace.NOWHERE;
        double least = Double.POSITIVE_INFINITY;
        for (int zone = 0; zone < state.quotes().size(); zone++) {
            SpotPlace spot = SpotPlace.spot(zone);
            double perHour = state.quotes().get(zone).up() ? progressPerHour(state, spot) : least;
            if (perHour < least || perHour == least && spot.equals(state.held())) {
                least = perHour;
                best = spot;
            }
        }
        return best;
    }

    /** What an hour of progress costs there until it is taken away or the job is done. */
    private static double progressPerHour(SpotState state, SpotPlace spot) {
        double overheadS = state.overheadS(spot);
        double lifeS =
                Math.min(
                        state.quotes().get(spot.zone()).lives().lifeLeftS(),
                        state.remainingS() + overheadS);
        double progressS = Math.max(state.job().stepS() / 2, lifeS - overheadS);
        double lost = state.perHour(state.cheapestOnDemand()) * overheadS / 3600;
        double paid = state.perHour(spot) * lifeS / 3600 + lost + state.egressTo(spot.zone());
        return paid / (progressS / 3600);
    }
}
