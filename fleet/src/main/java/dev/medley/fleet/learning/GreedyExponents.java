package dev.medley.fleet.learning;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import java.util.List;

/** Decides by the knob of the highest value in each state, wherever that state may be. */
record GreedyExponents(List<Policy> choices, ActionValues values) implements Policy {
    @Override
    public String name() {
        return "greedy";
    }

    @Override
    public Decision decide(FleetView view) {
        return choices.get(values.best(FleetFeatures.of(view))).decide(view);
    }
}
