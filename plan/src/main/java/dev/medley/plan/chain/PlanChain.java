package dev.medley.plan.chain;

import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import dev.medley.plan.codec.CodecPlan;
import dev.medley.plan.policy.BatchPolicy;
import dev.medley.plan.policy.BatchRoom;
import dev.medley.plan.policy.MemoryCaps;
import dev.medley.plan.source.AdaptivePlan;
import dev.medley.plan.source.BalancedPlan;
import dev.medley.plan.source.CappedPlan;
import dev.medley.plan.source.LeavingPlan;
import dev.medley.plan.source.NamedBorders;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.SharePlan;
import dev.medley.plan.strategy.StrategyModels;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts together the sources of a job's plans, one around the other: the batch, its shares, who sits
 * out, what the algorithm adds, what fits into memory, the codec. A run, {@code plan} and {@code
 * simulate} plan by the same list.
 *
 * @param strategy of the job, not open
 * @param even cuts the batch as long as no speed is known
 * @param followsSpeed whether shares follow measured speed
 * @param isWhole whether a step takes all samples: its time is a mean by itself, as a long round's
 * @param lastStep of the run
 * @param memory how much goes at once
 * @param batches whether and how the batch adapts; null for a batch that stays
 * @param codec for a codec that is chosen, or chosen again; null for one that stays
 */
public record PlanChain(
        StrategySpec strategy,
        SharePlan even,
        boolean followsSpeed,
        boolean isWhole,
        long lastStep,
        Memory memory,
        @Nullable Batches batches,
        CodecPlan.@Nullable Terms codec) {
    /**
     * How much goes at once on each machine.
     *
     * @param room for the share of a step
     * @param caps where memory ran out
     */
    public record Memory(BatchRoom room, MemoryCaps caps) {
        /** As much as is wanted. */
        public static Memory unlimited() {
            return new Memory(BatchRoom.UNLIMITED, MemoryCaps.unknown());
        }
    }

    /**
     * A batch that adapts.
     *
     * @param before plans that a resumed run had; empty for a new one
     * @param savedStep after which it is thought to resume
     */
    public record Batches(BatchPolicy policy, List<AdaptivePlan.Before> before, long savedStep) {
        public Batches {
            before = List.copyOf(before);
        }
    }

    /** The same with a codec that is chosen. */
    public PlanChain coding(CodecPlan.Terms terms) {
        return new PlanChain(
                strategy, even, followsSpeed, isWhole, lastStep, memory, batches, terms);
    }

    /** The outermost source. */
    public PlanSource source() {
        Stragglers late = strategy.stragglers();
        PlanSource source = shares(late);
        if (late.policy() == Stragglers.Policy.LEAVE) {
            source = new LeavingPlan(source, late.bound());
        }
        source = StrategyModels.ofHeld(strategy).plans(strategy, source);
        List<BorderCodec> borders = strategy.codec().borders();
        if (!borders.isEmpty()) {
            source = new NamedBorders(borders, source);
        }
        return new CappedPlan(source, memory.caps());
    }

    /** With the codec around, where one is chosen. */
    public PlanSource coded(PlanSource source) {
        return codec == null ? source : new CodecPlan(codec, source);
    }

    private PlanSource shares(Stragglers late) {
        BalancedPlan balanced = null;
        if (followsSpeed) {
            balanced =
                    (isWhole
                                    ? BalancedPlan.ofAllSamples(even, lastStep)
                                    : BalancedPlan.of(even, strategy.round().syncEvery(), lastStep))
                            .within(memory.room());
            balanced =
                    late.policy() == Stragglers.Policy.SHRINK
                            ? balanced.shrinking(late.bound())
                            : balanced;
        }
        if (batches != null) {
            AdaptivePlan adaptive =
                    balanced == null
                            ? AdaptivePlan.of(even, batches.policy())
                            : AdaptivePlan.of(balanced, batches.policy());
            return batches.before().isEmpty()
                    ? adaptive
                    : adaptive.goingOn(batches.before(), batches.savedStep());
        }
        return balanced == null ? even : balanced;
    }
}
