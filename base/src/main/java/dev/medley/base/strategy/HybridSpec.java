package dev.medley.base.strategy;

import static dev.medley.base.strategy.StrategyKey.INNER_BATCH;
import static dev.medley.base.strategy.StrategyKey.OUTER;
import static dev.medley.base.strategy.StrategyKey.OUTER_LR;
import static dev.medley.base.strategy.StrategyKey.OUTER_MOMENTUM;
import static dev.medley.base.strategy.StrategyKey.SYNC_EVERY;

import dev.medley.base.strategy.RoundSpec.Outer;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.Set;

/**
 * DiLoCo between sites, whose workers sum their gradients in each step.
 *
 * @param syncEvery steps of {@code train.batch} samples between two exchanges
 * @param innerBatch samples of a step for each worker; 0 for its part of the batch
 * @param outer rule of the common step
 * @param outerRate learning rate of the common step
 * @param outerMomentum of the common step
 */
public record HybridSpec(
        int syncEvery, int innerBatch, Outer outer, double outerRate, double outerMomentum)
        implements Algorithm {
    /** For job files and their reference. */
    static final String WORDS =
            "diloco between sites, whose workers sum their gradients in each step"
                    + " (docs/local-steps.md)";

    static final Set<StrategyKey> KEYS =
            Set.of(SYNC_EVERY, INNER_BATCH, OUTER, OUTER_LR, OUTER_MOMENTUM);
    static final HybridSpec USUAL = new HybridSpec(64, 0, Outer.NESTEROV, 0.7, 0.9);

    public HybridSpec {
        RoundSpec unused = new RoundSpec(syncEvery, innerBatch, outerRate, outerMomentum);
    }

    static HybridSpec of(RoundSpec round) {
        return new HybridSpec(
                round.syncEvery(),
                round.innerBatch(),
                round.outer(),
                round.outerRate(),
                round.outerMomentum());
    }

    @Override
    public Kind kind() {
        return Kind.HYBRID;
    }

    @Override
    public RoundSpec round() {
        return new RoundSpec(syncEvery, innerBatch, outerRate, outerMomentum)
                .outer(outer, outerRate, outerMomentum);
    }

    @Override
    public void requireFits(TrafficSpec traffic) {
        traffic.requireNoFactors("hybrid");
        traffic.requireNoStepCodec("hybrid");
        DiLoCoSpec.requireSparse("hybrid", round(), traffic);
    }
}
