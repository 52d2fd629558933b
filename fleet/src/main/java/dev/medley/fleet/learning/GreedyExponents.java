package dev.medley.fleet.learning;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import java.util.List;

/** Decides by the knob that was learnt to be best; by the fixed one in states never met. */
record GreedyExponents(List<Policy> choices, int fixed, StateActions learnt) implements Policy {
    @Override
    public String name() {
        return "greedy";
    }

    @Override
    public Decision decide(FleetView view) {
        int best = learnt.best(FleetFeatures.of(view));
        return choices.get(best < 0 ? fixed : best).decide(view);
    }
}
