package dev.medley.fleet.cost.spot;

/** Runs on the cheapest machine on demand from beginning to end. */
public final class OnDemandOnly implements SpotPolicy {
    @Override
    public String name() {
        return "on-demand";
    }

    @Override
    public SpotChoice choose(SpotState state) {
        SpotPlace place = state.cheapestOnDemand();
        return SpotChoice.of(
                place,
                "On demand in %s at %.2f an hour: nothing else was asked for.",
                state.quotes().get(place.zone()).zone(),
                state.perHour(place));
    }
}
