package dev.medley.fleet.policy.index;

import dev.medley.base.ConfigException;

/**
 * The settings of the index.
 *
 * @param alpha exponent of a rate over the job's best rate
 * @param beta exponent of shortness: best rate over remaining work, or the Gittins index of its age
 * @param stay added to 1 as a factor where the job is already: so much better a move has to be
 */
public record IndexOptions(double alpha, double beta, double stay) {
    /** As tuned over all loads on training seeds. */
    public static final IndexOptions DEFAULTS = new IndexOptions(1, 0.03, 0.05);

    public IndexOptions {
        require("alpha", alpha);
        require("beta", beta);
        require("stay", stay);
    }

    private static void require(String name, double value) {
        ConfigException.check(
                value >= 0 && value <= 10, "the index's %s is %s; give 0 to 10", name, value);
    }
}
