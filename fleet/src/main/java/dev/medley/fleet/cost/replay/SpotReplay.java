package dev.medley.fleet.cost.replay;

import dev.medley.fleet.cost.market.SpotGrid;
import dev.medley.fleet.cost.spot.SpotChoice;
import dev.medley.fleet.cost.spot.SpotJob;
import dev.medley.fleet.cost.spot.SpotPlace;
import dev.medley.fleet.cost.spot.SpotPolicy;
import dev.medley.fleet.cost.spot.SpotQuote;
import dev.medley.fleet.cost.spot.SpotState;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays one job over a market under one policy.
 *
 * <p>In each step a machine is paid for whole, at the price of the step's beginning. A new one
 * first spends {@code restartS} without progress. One that is taken away is gone when the step
 * begins; what was computed until then is kept. What zones did before the job began was watched.
 */
public final class SpotReplay {
    private final SpotGrid grid;
    private final SpotJob job;
    private final List<WatchedZone> watched = new ArrayList<>();

    private SpotPlace held = SpotPlace.NOWHERE;
    private double restartLeftS;
    private double remainingS;
    private double cost;
    private int starts;
    private double spotS;
    private double onDemandS;
    private double waitedS;

    private SpotReplay(SpotGrid grid, SpotJob job) {
        this.grid = grid;
        this.job = job;
        this.remainingS = job.workS();
        grid.zones().forEach(zone -> watched.add(new WatchedZone(zone, grid.stepS())));
    }

    /**
     * The job from {@code firstStep} on until it is done or the log ends. An {@link
     * IllegalStateException} says that the policy took a spot machine where none was up.
     */
    public static ReplayOutcome of(SpotGrid grid, int firstStep, SpotJob job, SpotPolicy policy) {
        return new SpotReplay(grid, job).run(firstStep, policy);
    }

    private ReplayOutcome run(int firstStep, SpotPolicy policy) {
        for (int step = 0; step < firstStep; step++) {
            quotes(step);
        }
        int step = firstStep;
        while (remainingS > 0 && step < grid.stepCount()) {
            List<SpotQuote> quotes = quotes(step);
            if (held.kind() == SpotPlace.Kind.SPOT && !quotes.get(held.zone()).up()) {
                held = held.waiting();
                restartLeftS = 0;
            }
            double nowS = (step - firstStep) * grid.stepS();
            SpotState state = new SpotState(job, nowS, remainingS, held, restartLeftS, quotes);
            step(state, policy.choose(state));
            step++;
        }
        double endS = remainingS > 0 ? Double.POSITIVE_INFINITY : (step - firstStep) * grid.stepS();
        double missedByS = Math.max(0, endS - job.deadlineS());
        return new ReplayOutcome(cost, endS, missedByS, starts, spotS, onDemandS, waitedS);
    }

    private List<SpotQuote> quotes(int step) {
        List<SpotQuote> quotes = new ArrayList<>(watched.size());
        watched.forEach(zone -> quotes.add(zone.at(step)));
        return quotes;
    }

    private void step(SpotState state, SpotChoice choice) {
        SpotPlace place = choice.place();
        boolean spot = place.kind() == SpotPlace.Kind.SPOT;
        if (spot && !state.quotes().get(place.zone()).up()) {
            throw new IllegalStateException(
                    "a spot machine was taken in %s where none was up"
                            .formatted(state.quotes().get(place.zone()).zone()));
        }
        if (!place.runs()) {
            held = held.waiting();
            waitedS += grid.stepS();
            return;
        }
        SpotQuote quote = state.quotes().get(place.zone());
        if (!place.equals(held)) {
            starts++;
            restartLeftS = job.restartS();
            cost += egress(state, quote);
        }
        cost += (spot ? quote.spotPerHour() : quote.onDemandPerHour()) * grid.stepS() / 3600;
        spotS += spot ? grid.stepS() : 0;
        onDemandS += spot ? 0 : grid.stepS();
        if (restartLeftS > 0) {
            restartLeftS -= grid.stepS();
        } else {
            remainingS -= grid.stepS();
        }
        held = place;
    }

    private double egress(SpotState state, SpotQuote to) {
        boolean moves =
                held.kind() != SpotPlace.Kind.NOWHERE
                        && !state.quotes().get(held.zone()).region().equals(to.region());
        return moves ? job.egress() : 0;
    }
}
