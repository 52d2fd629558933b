package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

/**
 * The fragments in which the change of a round travels while workers continue to train (Streaming
 * DiLoCo: Douillard et al. 2025, arXiv 2501.18512).
 *
 * @param fragments of the parameters, which take their common step one after another in a round
 * @param overlap batches of {@code train.batch} samples that all workers take while a fragment
 *     travels; 0 where they wait for it
 */
public record StreamSpec(int fragments, int overlap) {
    /** All of the change at once, while everybody waits. */
    public static final StreamSpec NONE = new StreamSpec(1, 0);

    public StreamSpec {
        check(fragments >= 1, "strategy.fragments=%d: at least 1", fragments);
        check(overlap >= 0, "strategy.overlap=%d: 0 batches or more", overlap);
    }

    /** Whether it is as if there were no fragments. */
    public boolean isNone() {
        return equals(NONE);
    }
}
