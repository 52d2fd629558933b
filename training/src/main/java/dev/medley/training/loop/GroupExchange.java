package dev.medley.training.loop;

import dev.medley.base.StepTag;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.exchange.Collective;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.model.Learner;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.bucket.LowRankSum;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.evaluation.BlockOwners;
import dev.medley.training.evaluation.GroupEvaluator;
import org.jspecify.annotations.Nullable;

/** Exchanges buckets, statistics and evaluations with one group, over one collective. */
public final class GroupExchange implements AutoCloseable {
    private final Collective collective;
    private final ExchangeLayout layout;
    private final @Nullable LowRankSum lowRank;
    private final Buckets buckets;
    private final RunningStatistics statistics;
    private final GroupEvaluator evaluator;
    private final BlockOwners owners;
    private final QuorumSpec quorum;

    /**
     * Lays the exchange memory out and lets the learner's accumulators lie in it.
     *
     * @param owners of the blocks that are evaluated
     * @param strategy how gradients travel
     * @param seed of the run
     */
    public GroupExchange(
            Collective collective,
            ExchangeLayout layout,
            Learner learner,
            GroupEvaluator evaluator,
            BlockOwners owners,
            StrategySpec strategy,
            long seed) {
        this.collective = collective;
        this.layout = layout;
        this.evaluator = evaluator;
        this.owners = owners;
        this.quorum = strategy.round().quorum();
        learner.bindAccumulators(collective.buffer().slice(0, layout.gradientBytes()));
        learner.bindOwn(
                collective.buffer().slice(layout.ownOffset(), layout.ownBytes()),
                layout.ownOffset());
        CodecSpec codec = strategy.codec();
        this.lowRank =
                layout.factorBytes() == 0
                        ? null
                        : new LowRankSum(
                                collective,
                                layout,
                                learner.accumulatorLayout(),
                                codec.rank(),
                                seed);
        this.buckets =
                new Buckets(
                        learner,
                        collective,
                        layout,
                        strategy.bucketBytes(),
                        codec.exactSteps(),
                        lowRank);
        this.statistics =
                new RunningStatistics(
                        learner.buffers(),
                        learner.moments(),
                        collective.buffer().slice(layout.bufferOffset(), layout.bufferBytes()),
                        layout.elementType());
    }

    /**
     * The memory that a group needs.
     *
     * @param evaluationValues doubles that an evaluation exchanges
     */
    public static ExchangeLayout layout(
            Learner learner, int ranks, StrategySpec strategy, long evaluationValues) {
        ParameterLayout accumulators = learner.accumulatorLayout();
        StreamSpec stream = strategy.round().stream();
        boolean isCoded = strategy.compress() != Compress.NONE;
        boolean isFactored = strategy.compress() == Compress.POWERSGD && ranks > 1;
        return new ExchangeLayout(
                accumulators.type(),
                accumulators.gradientBytes(),
                RunningStatistics.bytes(learner),
                ranks,
                evaluationValues,
                stream.isNone() ? 0 : stream.fragments(),
                isFactored ? LowRankSum.bytes(accumulators, strategy.codec().rank()) : 0,
                strategy.round().quorum().isNone() ? 0 : RoundTable.bytes(ranks),
                isCoded && !learner.countsSamples() ? ExchangeLayout.WEIGHT_BYTES : 0,
                learner.ownBytes(ranks));
    }

    QuorumSpec quorum() {
        return quorum;
    }

    Collective collective() {
        return collective;
    }

    Buckets buckets() {
        return buckets;
    }

    RunningStatistics statistics() {
        return statistics;
    }

    /** Frees native memory; between steps. */
    @Override
    public void close() {
        if (lowRank != null) {
            lowRank.close();
        }
    }

    GroupEvaluator.Result evaluate(Learner learner, StepTag tag) {
        return evaluator.evaluate(learner, collective, owners, tag, layout.evaluationOffset());
    }
}
