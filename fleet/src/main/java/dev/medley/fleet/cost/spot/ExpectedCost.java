package dev.medley.fleet.cost.spot;

/**
 * Takes what costs least in expectation until the deadline, in a market without memory whose rates
 * are those seen so far: {@link SpotOutlook} says what is expected, {@link WaitingCost} computes
 * what it costs to wait and what to go on demand.
 *
 * <p>Where spot machines are up the one is taken whose progress is expected to cost least, restarts
 * and egress included; it is left for another one when that saves more than the move costs. Time
 * that a restart takes counts at the on-demand price, since it may have to be bought back. It needs
 * {@link SafetyNet}.
 */
public final class ExpectedCost implements SpotPolicy {
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
        double least = Math.min(costs.waiting(), Math.min(costs.onDemand(), costs.spot()));
        SpotPlace place =
                costs.onDemand() == least
                        ? state.cheapestOnDemand()
                        : costs.spot() == least ? spot : state.held().waiting();
        return SpotChoice.of(
                place,
                "Expected until the end: %.2f on demand now, %.2f waiting for a spot machine%s.",
                costs.onDemand(),
                costs.waiting(),
                spot.runs() ? ", %.2f going to one".formatted(costs.spot()) : "");
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
