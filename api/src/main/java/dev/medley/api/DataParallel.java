package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Compress;
import java.util.Arrays;
import java.util.List;

/**
 * Synchronous data-parallel training: in every step all workers apply the weighted average of their
 * gradients.
 *
 * @param cluster the workers that compute
 * @param strategy by which they exchange
 */
public record DataParallel(ClusterSpec cluster, StrategySpec strategy) implements Parallelism {
    /** So many worker processes on this machine with equal shares. */
    public static DataParallel workers(int workers) {
        return new DataParallel(ClusterSpec.ofWorkers(workers), StrategySpec.defaults());
    }

    /** The same with shares of the batch in these proportions. */
    public DataParallel shares(double... relative) {
        List<Double> shares = Arrays.stream(relative).boxed().toList();
        return new DataParallel(cluster, strategy.with(shares, Balance.NONE));
    }

    /** The same with shares that follow the measured speed of each worker. */
    public DataParallel balanced() {
        return new DataParallel(cluster, strategy.with(List.of(), Balance.SPEED));
    }

    /**
     * The same with another codec: between sites, where within a site nothing is compressed, or
     * everywhere with {@link Compress#POWERSGD}.
     */
    public DataParallel compress(Compress codec) {
        return new DataParallel(cluster, strategy.with(codec));
    }

    /** The same with a codec that goes so far. */
    public DataParallel compress(Compress codec, CodecSpec how) {
        return new DataParallel(cluster, strategy.with(codec, how));
    }
}
