package dev.medley.fleet.learning;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import java.util.List;
import java.util.function.Function;

/**
 * Decides by the index whose exponents were learnt to be best in the state of queue and fleet. In a
 * state outside of what it was trained on it takes the best fixed exponents, and says so.
 */
public final class LearnedPolicy implements Policy {
    /** The word by which users choose it. */
    public static final String NAME = "learned";

    private static final List<String> FEATURES =
            List.of(
                    "queued work for each machine",
                    "jobs for each machine",
                    "the share of busy machines",
                    "the share of slow machines",
                    "the share of very slow machines",
                    "the shortest jobs' remaining time",
                    "the middle of remaining times",
                    "the longest jobs' remaining time",
                    "arrivals in 2 hours",
                    "arrivals in 20 hours",
                    "the oldest waiting job's age",
                    "the share of waiting jobs");

    private final LearnedExponents learned;
    private final List<Policy> choices;

    /**
     * @param index makes the policy of a knob
     */
    public LearnedPolicy(LearnedExponents learned, Function<Knob, Policy> index) {
        this.learned = learned;
        this.choices = learned.knobs().stream().map(index).toList();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean ordersByPriority() {
        return true;
    }

    @Override
    public Decision decide(FleetView view) {
        double[] state = FleetFeatures.of(view);
        int outside = learned.outside(state);
        int best = outside >= 0 ? -1 : learned.learnt().best(state);
        int chosen = best < 0 ? learned.fixed() : best;
        Decision decision = choices.get(chosen).decide(view);
        Knob knob = learned.knobs().get(chosen);
        String note;
        if (outside >= 0) {
            note =
                    "%s is %.3g, and training met %.3g to %.3g: the best fixed exponents decide"
                            .formatted(
                                    FEATURES.get(outside),
                                    state[outside],
                                    learned.lowest()[outside],
                                    learned.highest()[outside]);
        } else if (best < 0) {
            note = "training did not meet a state like this: the best fixed exponents decide";
        } else {
            note =
                    "learned exponents: rate %s, shortness %s, stay %s"
                            .formatted(knob.alpha(), knob.beta(), knob.stay());
        }
        return decision.withNote(note);
    }
}
