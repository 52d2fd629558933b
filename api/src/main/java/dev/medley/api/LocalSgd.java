package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.time.Duration;
import java.util.List;

/**
 * Local SGD: each worker takes some steps by itself, then all continue from the average of their
 * parameters. The formulas are in docs/local-steps.md.
 *
 * @param cluster the workers that compute
 * @param strategy by which they exchange
 */
public record LocalSgd(ClusterSpec cluster, StrategySpec strategy) implements Parallelism {
    /** So many worker processes on this machine that exchange after every 16 steps. */
    public static LocalSgd workers(int workers) {
        return new LocalSgd(ClusterSpec.ofWorkers(workers), StrategySpec.defaults(Kind.LOCAL_SGD));
    }

    /** The same with so many steps of a batch between two exchanges. */
    public LocalSgd syncEvery(int steps) {
        return new LocalSgd(cluster, strategy.with(strategy.round().every(steps)));
    }

    /** The same with steps of so many samples that each worker takes by itself. */
    public LocalSgd innerBatch(int samples) {
        return new LocalSgd(cluster, strategy.with(strategy.round().inBatchesOf(samples)));
    }

    /**
     * The same, whose rounds end without workers that are late: when so many are done, or below 1
     * such a part of them, the others may go on for a tenth of the time that these took.
     */
    public LocalSgd quorum(double workers) {
        return waitingFor(strategy.round().quorum().ofWorkers(workers));
    }

    /**
     * The same with another time for which workers may go on when the quorum is done; without a
     * quorum it means nothing.
     */
    public LocalSgd grace(Duration grace) {
        return waitingFor(strategy.round().quorum().waiting(grace.toNanos()));
    }

    private LocalSgd waitingFor(QuorumSpec quorum) {
        return new LocalSgd(cluster, strategy.with(strategy.round().waitingFor(quorum)));
    }

    /** The same, with rounds in which faster workers take more steps, so that all end together. */
    public LocalSgd balanced() {
        return new LocalSgd(cluster, strategy.with(List.of(), Balance.SPEED));
    }

    /**
     * The same with another codec: between sites, where within a site nothing is compressed, or
     * everywhere with {@link Compress#POWERSGD}.
     */
    public LocalSgd compress(Compress codec) {
        return new LocalSgd(cluster, strategy.with(codec));
    }

    /** The same with a codec that goes so far. */
    public LocalSgd compress(Compress codec, CodecSpec how) {
        return new LocalSgd(cluster, strategy.with(codec, how));
    }
}
