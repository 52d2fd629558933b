package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.List;

/**
 * Gossip training: each worker takes steps by itself and averages its parameters with one neighbour
 * at a time, without waiting for anybody. The formulas are in docs/gossip.md.
 *
 * @param cluster the workers that compute
 * @param strategy by which they exchange
 */
public record Gossip(ClusterSpec cluster, StrategySpec strategy) implements Parallelism {
    /** So many worker processes on this machine that send to a neighbour after each step. */
    public static Gossip workers(int workers) {
        return new Gossip(ClusterSpec.ofWorkers(workers), StrategySpec.defaults(Kind.GOSSIP));
    }

    /** The same with a letter after so many steps of a worker. */
    public Gossip mixEvery(int steps) {
        return new Gossip(cluster, strategy.with(AsyncSpec.mixing(steps)));
    }

    /**
     * The same with so many steps of a batch in a round, of whose end the exact average is the
     * model that is evaluated and saved.
     */
    public Gossip syncEvery(int steps) {
        return new Gossip(cluster, strategy.with(strategy.round().every(steps)));
    }

    /** The same with steps of so many samples that each worker takes by itself. */
    public Gossip innerBatch(int samples) {
        return new Gossip(cluster, strategy.with(strategy.round().inBatchesOf(samples)));
    }

    /** The same, with rounds in which faster workers take more steps, so that all end together. */
    public Gossip balanced() {
        return new Gossip(cluster, strategy.with(List.of(), Balance.SPEED));
    }
}
