package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.Set;

/** Data parallelism: every step, all workers, the weighted mean of their gradients. */
public record DataParallelSpec() implements Algorithm {
    /** For job files and their reference. */
    static final String WORDS = "every step, all workers, weighted averaging";

    static final Set<StrategyKey> KEYS = Set.of();
    static final DataParallelSpec USUAL = new DataParallelSpec();

    @Override
    public Kind kind() {
        return Kind.DATA_PARALLEL;
    }

    @Override
    public RoundSpec round() {
        return RoundSpec.EVERY_STEP;
    }

    @Override
    public boolean hasRounds() {
        return false;
    }

    @Override
    public boolean sumsGradients() {
        return true;
    }

    @Override
    public void requireFits(TrafficSpec traffic) {
        check(
                !traffic.codec().correctsMomentum() || traffic.compress() == Compress.TOPK,
                "strategy.momentum_correction=true goes with data-parallel and compress=topk: take"
                        + " them, or leave it out");
    }
}
