package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.List;

/**
 * A parameter server, spread over the workers: each pushes its gradients and continues with the
 * parameters that come back. The formulas are in docs/parameter-server.md.
 *
 * @param cluster the workers that compute
 * @param strategy by which they exchange
 */
public record ParameterServer(ClusterSpec cluster, StrategySpec strategy) implements Parallelism {
    /** So many worker processes on this machine, none more than 4 batches ahead of the slowest. */
    public static ParameterServer workers(int workers) {
        return new ParameterServer(
                ClusterSpec.ofWorkers(workers), StrategySpec.defaults(Kind.PARAMETER_SERVER));
    }

    /** The same, but after each batch all wait for all. */
    public ParameterServer bulk() {
        return new ParameterServer(cluster, as(AsyncSpec.of(Sync.BULK)));
    }

    /** The same, with workers at most so many batches of all together ahead of the slowest. */
    public ParameterServer stale(int staleness) {
        return new ParameterServer(cluster, as(AsyncSpec.stale(staleness)));
    }

    /** The same, but within a round nobody waits for anybody. */
    public ParameterServer async() {
        return new ParameterServer(cluster, as(AsyncSpec.of(Sync.ASYNC)));
    }

    /**
     * The same with servers at every site, to which its workers push, and which forward what they
     * merged to other sites.
     */
    public ParameterServer perSite() {
        return new ParameterServer(cluster, strategy.with(strategy.async().with(Servers.PER_SITE)));
    }

    private StrategySpec as(AsyncSpec rule) {
        return strategy.with(rule.with(strategy.async().servers()));
    }

    /**
     * The same with so many steps of a batch in a round, at whose end all hold equal parameters.
     */
    public ParameterServer syncEvery(int steps) {
        return new ParameterServer(cluster, strategy.with(strategy.round().every(steps)));
    }

    /** The same with gradients of so many samples. */
    public ParameterServer innerBatch(int samples) {
        return new ParameterServer(cluster, strategy.with(strategy.round().inBatchesOf(samples)));
    }

    /** The same, with rounds in which faster workers push more often, so that all end together. */
    public ParameterServer balanced() {
        return new ParameterServer(cluster, strategy.with(List.of(), Balance.SPEED));
    }
}
