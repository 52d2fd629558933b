package dev.medley.fleet.learning;

import dev.medley.base.ConfigException;
import java.util.List;

/**
 * Holds what a training learnt, and on what: its file in the repository.
 *
 * @param seed of the training
 * @param knobs by action
 * @param fixed index of the knob that was best as a fixed one on the training's arrivals
 * @param lowest of each feature that was met in training
 * @param highest of each feature
 * @param learnt which action is best by state
 * @param curve of the training
 */
public record LearnedExponents(
        long seed,
        List<Knob> knobs,
        int fixed,
        double[] lowest,
        double[] highest,
        StateActions learnt,
        List<CurvePoint> curve) {
    /**
     * Holds one point of a training's curve.
     *
     * @param episode so far
     * @param meanGain share of job hours saved beside the fixed exponents, on the validation's
     *     arrivals
     */
    public record CurvePoint(int episode, double meanGain) {}

    public LearnedExponents {
        knobs = List.copyOf(knobs);
        curve = List.copyOf(curve);
        ConfigException.check(
                !knobs.isEmpty() && 0 <= fixed && fixed < knobs.size(),
                "a learned policy has %d knobs and names knob %d as fixed; train it anew",
                knobs.size(),
                fixed);
        ConfigException.check(
                learnt.fits(knobs.size(), FleetFeatures.COUNT),
                "a learned policy was not learnt for %d knobs and %d features; train it anew",
                knobs.size(),
                FleetFeatures.COUNT);
    }

    /** Which feature is outside of what was met in training; -1 if none. */
    int outside(double[] state) {
        for (int i = 0; i < state.length; i++) {
            double margin = 0.05 * (highest[i] - lowest[i]) + 1e-9;
            if (state[i] < lowest[i] - margin || state[i] > highest[i] + margin) {
                return i;
            }
        }
        return -1;
    }
}
