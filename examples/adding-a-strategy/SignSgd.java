package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Kind;

/**
 * Training by the majority of signs.
 *
 * @param cluster the workers that compute
 * @param strategy by which they exchange
 */
public record SignSgd(ClusterSpec cluster, StrategySpec strategy) implements Parallelism {
    /** So many worker processes on this machine. */
    public static SignSgd workers(int workers) {
        return new SignSgd(ClusterSpec.ofWorkers(workers), StrategySpec.defaults(Kind.SIGN_VOTE));
    }
}
