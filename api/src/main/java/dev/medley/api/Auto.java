package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Kind;

/**
 * One of the other strategies, chosen when the workers are ready by what each would do;
 * docs/planning.md has the rules. With workers of one machine that is {@link DataParallel}.
 *
 * @param cluster who computes
 * @param strategy open until then
 */
public record Auto(ClusterSpec cluster, StrategySpec strategy) implements Parallelism {
    /** So many worker processes on this machine. */
    public static Auto workers(int workers) {
        return new Auto(ClusterSpec.ofWorkers(workers), StrategySpec.defaults(Kind.AUTO));
    }
}
