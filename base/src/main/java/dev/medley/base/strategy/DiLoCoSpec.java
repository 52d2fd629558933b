package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;
import static dev.medley.base.strategy.StrategyKey.FRAGMENTS;
import static dev.medley.base.strategy.StrategyKey.GRACE;
import static dev.medley.base.strategy.StrategyKey.INNER_BATCH;
import static dev.medley.base.strategy.StrategyKey.LATE_DECAY;
import static dev.medley.base.strategy.StrategyKey.LATE_ROUNDS;
import static dev.medley.base.strategy.StrategyKey.OUTER;
import static dev.medley.base.strategy.StrategyKey.OUTER_LR;
import static dev.medley.base.strategy.StrategyKey.OUTER_MOMENTUM;
import static dev.medley.base.strategy.StrategyKey.OVERLAP;
import static dev.medley.base.strategy.StrategyKey.QUORUM;
import static dev.medley.base.strategy.StrategyKey.SYNC_EVERY;

import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.Set;

/**
 * DiLoCo (Douillard et al. 2023, arXiv 2311.08105): each worker takes some steps by itself, then
 * all take a common step along the mean of their changes.
 *
 * @param round what lies between two exchanges
 */
public record DiLoCoSpec(RoundSpec round) implements Algorithm {
    /** For job files and their reference. */
    static final String WORDS = "the same with Nesterov's momentum on the average change";

    static final Set<StrategyKey> KEYS =
            Set.of(
                    SYNC_EVERY,
                    INNER_BATCH,
                    OUTER,
                    OUTER_LR,
                    OUTER_MOMENTUM,
                    FRAGMENTS,
                    OVERLAP,
                    QUORUM,
                    GRACE,
                    LATE_DECAY,
                    LATE_ROUNDS);
    static final DiLoCoSpec USUAL = new DiLoCoSpec(new RoundSpec(64, 0, 0.7, 0.9));

    /** With more momentum of the common step, what codecs bring rounds late does not learn. */
    private static final double MOST_MOMENTUM = 0.3;

    @Override
    public Kind kind() {
        return Kind.DILOCO;
    }

    @Override
    public void requireFits(TrafficSpec traffic) {
        traffic.requireNoStepCodec("diloco");
        traffic.requireWhole(round.quorum());
        check(
                traffic.compress() != Compress.POWERSGD
                        || (round.outerMomentum() <= MOST_MOMENTUM && round.stream().isNone()),
                "strategy.compress=powersgd with diloco, strategy.outer_momentum=%s,"
                    + " strategy.fragments=%d, strategy.overlap=%d: it learns with a momentum of %s"
                    + " at most, and does not travel in fragments or meanwhile; change them, or"
                    + " take another codec",
                round.outerMomentum(),
                round.stream().fragments(),
                round.stream().overlap(),
                MOST_MOMENTUM);
        requireSparse("diloco", round, traffic);
    }

    /** A change that topk leaves out is found anew in the next round. */
    static void requireSparse(String strategy, RoundSpec round, TrafficSpec traffic) {
        check(
                !traffic.mayBeSparse()
                        || round.outerMomentum() <= MOST_MOMENTUM
                        || traffic.codec().residualDecay() < 1,
                "strategy.compress=topk with strategy=%s, strategy.outer_momentum=%s: a change that"
                        + " is left out is found anew in the next round, adds up, and does not"
                        + " learn; set strategy.residual_decay (0.7 was best), a momentum of %s at"
                        + " most, or take another codec",
                strategy,
                round.outerMomentum(),
                MOST_MOMENTUM);
    }
}
