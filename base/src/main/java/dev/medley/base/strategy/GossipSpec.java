package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;
import static dev.medley.base.strategy.StrategyKey.INNER_BATCH;
import static dev.medley.base.strategy.StrategyKey.MIX_EVERY;
import static dev.medley.base.strategy.StrategyKey.SYNC_EVERY;

import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.Set;

/**
 * Gossip: each worker averages its parameters with one neighbour at a time, and all with all at the
 * end of a round.
 *
 * @param syncEvery steps of {@code train.batch} samples between two exchanges of all
 * @param innerBatch samples of a step that a worker takes by itself; 0 for its part of the batch
 * @param mixEvery inner batches after which a worker sends half of its weight away
 */
public record GossipSpec(int syncEvery, int innerBatch, int mixEvery) implements Algorithm {
    /** For job files and their reference. */
    static final String WORDS =
            "each worker averages with one neighbour at a time (docs/gossip.md)";

    static final Set<StrategyKey> KEYS = Set.of(SYNC_EVERY, INNER_BATCH, MIX_EVERY);
    static final GossipSpec USUAL = new GossipSpec(32, 0, 1);

    public GossipSpec {
        RoundSpec unused = new RoundSpec(syncEvery, innerBatch, 1, 0);
        AsyncSpec alsoUnused = AsyncSpec.mixing(mixEvery);
    }

    static GossipSpec of(RoundSpec round, AsyncSpec async) {
        return new GossipSpec(round.syncEvery(), round.innerBatch(), async.mixEvery());
    }

    @Override
    public Kind kind() {
        return Kind.GOSSIP;
    }

    @Override
    public RoundSpec round() {
        return new RoundSpec(syncEvery, innerBatch, 1, 0);
    }

    @Override
    public AsyncSpec async() {
        return AsyncSpec.mixing(mixEvery);
    }

    @Override
    public boolean isByLetters() {
        return true;
    }

    @Override
    public boolean isRepeatable() {
        return false;
    }

    /** What is left out of the average comes with a later round's, so it must be little. */
    @Override
    public void requireFits(TrafficSpec traffic) {
        traffic.requireNoFactors("gossip");
        traffic.requireNoStepCodec("gossip");
        check(
                !traffic.mayBeSparse(),
                "strategy.compress=topk with strategy=gossip, whose average would lack most of what"
                        + " was learnt: take another codec, or leave topk out of"
                        + " strategy.codecs and strategy.borders");
    }
}
