package dev.medley.base.evaluation;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.text.Units;
import dev.medley.base.text.Words;

/**
 * The probability from which on a model says the second of two classes. It is part of the model.
 *
 * @param probability the least that is enough; may be above 1, where the second is never said
 * @param by what it was chosen for
 * @param reached what it reached on the validation samples
 */
public record DecisionThreshold(double probability, ThresholdSpec by, double reached) {
    public DecisionThreshold {
        check(probability >= 0, "a threshold of %s: 0 or above", probability);
    }

    /** The class, 0 or 1, for a probability of the second. */
    public int decide(double second) {
        return second >= probability ? 1 : 0;
    }

    /** {@code probability of at least 0.3100, which maximises f1 (0.6213)}. */
    public String sentence() {
        return "probability of at least %s, which maximised %s on the validation samples (%s)"
                .formatted(
                        Units.metric(probability), Words.of(by.maximise()), Units.metric(reached));
    }
}
