package dev.medley.base.strategy;

import dev.medley.base.strategy.StrategySpec.Kind;

/**
 * The algorithm by which workers learn together, with its own settings and no others. What all
 * algorithms have in common is seen as a {@link #round} and as an {@link #async exchange} within
 * it.
 */
public sealed interface Algorithm
        permits DataParallelSpec,
                LocalSgdSpec,
                DiLoCoSpec,
                HybridSpec,
                ServerSpec,
                GossipSpec,
                AutoSpec {
    /** Its name. */
    Kind kind();

    /** What lies between two exchanges of all workers. */
    RoundSpec round();

    /** How single workers exchange within a round. */
    default AsyncSpec async() {
        return AsyncSpec.NONE;
    }

    /** Whether a worker takes steps by itself between two exchanges, so that a step is a round. */
    default boolean hasRounds() {
        return true;
    }

    /** Whether what all workers sum is the gradient of a step, of which its noise is known. */
    default boolean sumsGradients() {
        return false;
    }

    /** Whether single workers exchange within a round, by letters. */
    default boolean isByLetters() {
        return false;
    }

    /**
     * Whether the same job and plans give the same bits, whatever came first: not where what
     * happens depends on the order in which letters of several workers come.
     */
    default boolean isRepeatable() {
        return round().quorum().isNone();
    }

    /**
     * Refuses what its exchanges cannot travel in.
     *
     * @throws dev.medley.base.ConfigException with the reason and what to take
     */
    void requireFits(TrafficSpec traffic);
}
