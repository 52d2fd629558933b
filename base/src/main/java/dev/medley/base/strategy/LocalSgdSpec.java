package dev.medley.base.strategy;

import static dev.medley.base.strategy.StrategyKey.GRACE;
import static dev.medley.base.strategy.StrategyKey.INNER_BATCH;
import static dev.medley.base.strategy.StrategyKey.LATE_DECAY;
import static dev.medley.base.strategy.StrategyKey.LATE_ROUNDS;
import static dev.medley.base.strategy.StrategyKey.QUORUM;
import static dev.medley.base.strategy.StrategyKey.SYNC_EVERY;

import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.Set;

/**
 * Local SGD: each worker takes some steps by itself, then all take the average of their parameters.
 *
 * @param syncEvery steps of {@code train.batch} samples between two exchanges
 * @param innerBatch samples of a step that a worker takes by itself; 0 for its part of the batch
 * @param quorum who is waited for
 */
public record LocalSgdSpec(int syncEvery, int innerBatch, QuorumSpec quorum) implements Algorithm {
    /** For job files and their reference. */
    static final String WORDS = "some steps each worker by itself, then the average";

    static final Set<StrategyKey> KEYS =
            Set.of(SYNC_EVERY, INNER_BATCH, QUORUM, GRACE, LATE_DECAY, LATE_ROUNDS);
    static final LocalSgdSpec USUAL = new LocalSgdSpec(16, 0, QuorumSpec.NONE);

    public LocalSgdSpec {
        RoundSpec unused = new RoundSpec(syncEvery, innerBatch, 1, 0).waitingFor(quorum);
    }

    static LocalSgdSpec of(RoundSpec round) {
        return new LocalSgdSpec(round.syncEvery(), round.innerBatch(), round.quorum());
    }

    @Override
    public Kind kind() {
        return Kind.LOCAL_SGD;
    }

    @Override
    public RoundSpec round() {
        return new RoundSpec(syncEvery, innerBatch, 1, 0).waitingFor(quorum);
    }

    @Override
    public void requireFits(TrafficSpec traffic) {
        traffic.requireNoStepCodec("local-sgd");
        traffic.requireWhole(quorum);
    }
}
