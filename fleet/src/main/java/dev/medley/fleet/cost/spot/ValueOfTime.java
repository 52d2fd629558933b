package dev.medley.fleet.cost.spot;

/**
 * Takes what brings most for its money, over all zones, after SkyNomad (Li et al., arXiv
 * 2601.06520).
 *
 * <p>An hour of progress is worth {@code V = c x ((W - w) / (D - t)) / (W / D)}: the on-demand
 * price c, times the rate still needed over the rate first planned; but never less than the
 * cheapest spot machine, so that being early is no reason to stop. A machine that is expected to
 * live L hours brings {@code V x max(0, L - restart) - price x L - egress}; of what this is by the
 * hour the largest is taken, and waiting brings 0. On demand L is as long as the job needs; a spot
 * machine's is the mean of what was seen in its zone. It needs {@link SafetyNet}.
 *
 * <p>Beside the paper: lives are means of those seen, without its model of bursts, and zones are
 * watched without paid probes.
 */
public final class ValueOfTime implements SpotPolicy {
    @Override
    public String name() {
        return "value-of-time";
    }

    @Override
    public SpotChoice choose(SpotState state) {
        double value = value(state);
        SpotPlace best = state.held().waiting();
        double most = 0;
        for (int zone = 0; zone < state.quotes().size(); zone++) {
            SpotPlace onDemand = SpotPlace.onDemand(zone);
            double gain = onDemandGain(state, onDemand, value);
            if (gain > most || gain == most && onDemand.equals(state.held())) {
                most = gain;
                best = onDemand;
            }
            SpotPlace spot = SpotPlace.spot(zone);
            if (state.quotes().get(zone).up()) {
                gain = gain(state, spot, value, lifeS(state, spot));
                if (gain > most || gain == most && spot.equals(state.held())) {
                    most = gain;
                    best = spot;
                }
            }
        }
        return SpotChoice.of(
                best,
                "An hour of progress is worth %.2f now, and %s brings %.2f more an hour than it"
                        + " costs.",
                value,
                described(state, best),
                most);
    }

    private static double value(SpotState state) {
        SpotJob job = state.job();
        double needed = state.remainingS() / (job.deadlineS() - state.nowS());
        double planned = job.workS() / job.deadlineS();
        double leastSpot = Double.POSITIVE_INFINITY;
        for (SpotQuote quote : state.quotes()) {
            leastSpot = Math.min(leastSpot, quote.spotPerHour());
        }
        return Math.max(leastSpot, state.perHour(state.cheapestOnDemand()) * needed / planned);
    }

    private static double onDemandGain(SpotState state, SpotPlace place, double value) {
        return gain(state, place, value, state.remainingS() + state.overheadS(place));
    }

    private static double lifeS(SpotState state, SpotPlace spot) {
        double neededS = state.remainingS() + state.overheadS(spot);
        double lifeS = state.quotes().get(spot.zone()).lives().lifeLeftS();
        return Math.min(neededS, Math.max(lifeS, state.job().stepS()));
    }

    private static double gain(SpotState state, SpotPlace place, double value, double lifeS) {
        double progressS = Math.max(0, lifeS - state.overheadS(place));
        double paid = state.perHour(place) * lifeS / 3600 + state.egressTo(place.zone());
        return (value * progressS / 3600 - paid) / (lifeS / 3600);
    }

    private static String described(SpotState state, SpotPlace place) {
        return switch (place.kind()) {
            case SPOT -> "spot in " + state.quotes().get(place.zone()).zone();
            case ON_DEMAND -> "on demand in " + state.quotes().get(place.zone()).zone();
            case NOWHERE, WAITING -> "waiting";
        };
    }
}
