package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.strategy.StrategySpec;

/**
 * A strategy and the cluster that trains by it: {@link DataParallel}, {@link LocalSgd}, {@link
 * DiLoCo}, {@link Hybrid}, {@link ParameterServer}, {@link Gossip}, {@link Auto}.
 */
public sealed interface Parallelism
        permits DataParallel, LocalSgd, DiLoCo, Hybrid, ParameterServer, Gossip, Auto {
    /** The workers that compute. */
    ClusterSpec cluster();

    /** The strategy by which they exchange. */
    StrategySpec strategy();
}
