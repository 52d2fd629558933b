package dev.medley.fleet.learning;

import dev.medley.base.ConfigException;

/**
 * Holds one setting of the index that learning chooses between: the exponents of a rate over the
 * best rate and of shortness, and the bonus for staying.
 */
public record Knob(double alpha, double beta, double stay) {
    public Knob {
        ConfigException.check(
                alpha >= 0 && beta >= 0 && stay >= 0,
                "an index has exponents alpha %s, beta %s and stay %s; give numbers of 0 or more",
                alpha,
                beta,
                stay);
    }
}
