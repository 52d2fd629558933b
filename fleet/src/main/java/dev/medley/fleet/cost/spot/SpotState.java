package dev.medley.fleet.cost.spot;

import java.util.List;

/**
 * Shows a job and its market at the beginning of a step.
 *
 * @param nowS since the job's start
 * @param remainingS of computing still to do
 * @param held machine from the last step, if it was not taken away
 * @param restartLeftS until that machine computes
 * @param quotes of all zones, always in the same order
 */
public record SpotState(
        SpotJob job,
        double nowS,
        double remainingS,
        SpotPlace held,
        double restartLeftS,
        List<SpotQuote> quotes) {
    public SpotState {
        quotes = List.copyOf(quotes);
    }

    /** Seconds until a machine at {@code place} computes: none is left where it computes. */
    double overheadS(SpotPlace place) {
        return place.equals(held) ? restartLeftS : job.restartS();
    }

    /** What is paid at once for going to {@code zone}: its checkpoint's way, if it has one. */
    double egressTo(int zone) {
        boolean moves =
                held.kind() != SpotPlace.Kind.NOWHERE
                        && !quotes.get(zone).region().equals(quotes.get(held.zone()).region());
        return moves ? job.egress() : 0;
    }

    /** Price an hour of the machine at {@code place}. */
    double perHour(SpotPlace place) {
        SpotQuote quote = quotes.get(place.zone());
        return switch (place.kind()) {
            case SPOT -> quote.spotPerHour();
            case ON_DEMAND -> quote.onDemandPerHour();
            case NOWHERE, WAITING -> 0;
        };
    }

    /** Whole steps of computing that are left, in seconds. */
    double wholeRemainingS() {
        return Math.ceil(remainingS / job.stepS()) * job.stepS();
    }

    /** Seconds to spare if a machine on demand were started now. */
    double slackS() {
        return job.deadlineS() - nowS - wholeRemainingS() - job.restartS();
    }

    /** The machine on demand that finishes the job for the least; the one it holds if it does. */
    SpotPlace cheapestOnDemand() {
        if (held.kind() == SpotPlace.Kind.ON_DEMAND) {
            return held;
        }
        int best = 0;
        for (int zone = 1; zone < quotes.size(); zone++) {
            best = finishCost(zone) < finishCost(best) ? zone : best;
        }
        return SpotPlace.onDemand(best);
    }

    private double finishCost(int zone) {
        double hours = (remainingS + job.restartS()) / 3600;
        return egressTo(zone) + hours * quotes.get(zone).onDemandPerHour();
    }
}
