package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.StrategySpec;

/**
 * Who computes, and how they exchange: {@link DataParallel}, {@link LocalSgd}, {@link DiLoCo},
 * {@link Hybrid}, {@link ParameterServer}, {@link Gossip}, {@link Auto}.
 */
public sealed interface Parallelism
        permits DataParallel, LocalSgd, DiLoCo, Hybrid, ParameterServer, Gossip, Auto {
    /** Who computes. */
    ClusterSpec cluster();

    /** How they exchange. */
    StrategySpec strategy();
}
