package dev.medley.base.model;

import static dev.medley.base.ConfigException.check;

/**
 * Describes how a k-means is fitted.
 *
 * @param algorithm how centres move
 * @param restarts fits from other starts, of which the one with the lowest inertia is taken
 * @param iterations of each fit at most; of {@link Algorithm#LLOYD} alone
 * @param tolerance with which it has converged: the squared way that all centres moved, as a share
 *     of the mean variance of the features; of {@link Algorithm#LLOYD} alone
 */
public record KMeansSpec(Algorithm algorithm, int restarts, int iterations, double tolerance) {
    /** The movement of centres. */
    public enum Algorithm {
        /** To the mean of all samples that are nearest to each (Lloyd 1982). */
        LLOYD,
        /** By batches, each less than those before it (Sculley 2010). */
        MINI_BATCH
    }

    /** Rounds in which a start draws candidates (Bahmani et al. 2012, section 4). */
    public static final int ROUNDS = 5;

    /** Steps of a start beside its rounds, and those that groups may take once more. */
    private static final int MORE_STEPS = 20;

    public KMeansSpec {
        check(restarts >= 1, "model.restarts=%d: at least 1", restarts);
        check(iterations >= 1, "model.iterations=%d: at least 1", iterations);
        check(
                tolerance >= 0 && Double.isFinite(tolerance),
                "model.tolerance=%s: 0 or more",
                tolerance);
    }

    /** Three fits to all samples. */
    public static KMeansSpec defaults() {
        return new KMeansSpec(Algorithm.LLOYD, 3, 300, 1e-4);
    }

    /** Steps over all samples that the fits take at most, unless many workers are lost. */
    public long mostSteps() {
        return (long) restarts * (iterations + 2L * ROUNDS + MORE_STEPS);
    }
}
