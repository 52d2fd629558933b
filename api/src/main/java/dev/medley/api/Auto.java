package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Kind;

/**
 * The strategy that Medley chooses among the others when the workers are ready, by what each would
 * do. The rules are in docs/planning.md. With workers of one machine it is {@link DataParallel}.
 *
 * @param cluster the workers that compute
 * @param strategy open until then
 */
public record Auto(ClusterSpec cluster, StrategySpec strategy) implements Parallelism {
    /** So many worker processes on this machine. */
    public static Auto workers(int workers) {
        return new Auto(ClusterSpec.ofWorkers(workers), StrategySpec.defaults(Kind.AUTO));
    }
}
