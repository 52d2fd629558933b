package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.List;

/**
 * Hybrid training: the workers of a site sum their gradients in every step, and take many steps so.
 * Then all take one together along the mean of the sites' changes, with Nesterov's momentum, as in
 * {@link DiLoCo}. Sites are where machines join from; the workers of one machine are one site. The
 * formulas are in docs/local-steps.md.
 *
 * @param cluster the workers that compute
 * @param strategy by which they exchange
 */
public record Hybrid(ClusterSpec cluster, StrategySpec strategy) implements Parallelism {
    /** So many worker processes on this machine, one site, with rounds of 64 steps. */
    public static Hybrid workers(int workers) {
        return new Hybrid(ClusterSpec.ofWorkers(workers), StrategySpec.defaults(Kind.HYBRID));
    }

    /** The same with so many steps of a batch between two exchanges. */
    public Hybrid syncEvery(int steps) {
        return new Hybrid(cluster, strategy.with(strategy.round().every(steps)));
    }

    /** The same with so many samples of each worker in a step of its site. */
    public Hybrid innerBatch(int samples) {
        return new Hybrid(cluster, strategy.with(strategy.round().inBatchesOf(samples)));
    }

    /** The same with another common step; 0.7 and 0.9 otherwise. */
    public Hybrid outer(double learningRate, double momentum) {
        return new Hybrid(cluster, strategy.with(strategy.round().outer(learningRate, momentum)));
    }

    /**
     * The same, with rounds in which faster workers take more samples, so that all end together.
     */
    public Hybrid balanced() {
        return new Hybrid(cluster, strategy.with(List.of(), Balance.SPEED));
    }

    /** The same with another codec between sites; within a site nothing is compressed. */
    public Hybrid compress(Compress codec) {
        return new Hybrid(cluster, strategy.with(codec));
    }
}
