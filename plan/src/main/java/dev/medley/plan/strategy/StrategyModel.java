package dev.medley.plan.strategy;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.cost.RoundCost;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.step.StepShape;
import dev.medley.plan.simulator.step.TrainingLoad;
import dev.medley.plan.simulator.sum.Sums;
import dev.medley.plan.source.PlanSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Models an algorithm for plans: its words, costs, simulation and what it adds to plans. */
public interface StrategyModel {
    /**
     * One sentence for the user of what workers do.
     *
     * @param strategy of this algorithm
     * @param innerBatch samples of a step that a worker takes by itself
     * @param workers of the job
     * @param transport in words
     */
    String sentence(StrategySpec strategy, int innerBatch, int workers, String transport);

    /** What else than the steps of a round tells two of them apart, in a sentence. */
    default String manner(StrategySpec strategy) {
        return "";
    }

    /** The same as briefly as a table needs it. */
    default String briefly(StrategySpec strategy) {
        return "";
    }

    /** The cost of a round, or of a step that is none, beside computing. */
    RoundCost cost(
            StrategySpec strategy,
            ModelFacts facts,
            RoundCost.Computing computing,
            ClusterLinks links);

    /** What simulated workers do within a round; null for nothing but computing. */
    @Nullable RoundActivity activity(Scene scene);

    /**
     * The part of a simulation that an activity takes place in.
     *
     * @param shape of the round, with the samples of a step that a worker takes by itself
     * @param owed samples that the group before left behind
     */
    record Scene(
            EventQueue events,
            Fabric fabric,
            TrainingLoad load,
            StrategySpec strategy,
            StepShape shape,
            Sums sums,
            long owed,
            long seed) {
        /** Whether a round may end without some of them, or has to deal what one left behind. */
        public boolean hasQuorum() {
            int quorum = strategy.round().quorum().workers(fabric.size());
            return quorum < fabric.size() || owed > 0;
        }
    }

    /** Whether no two of its simulated rounds differ but by what disturbs machines and links. */
    default boolean isEven(Scene scene) {
        return !scene.hasQuorum();
    }

    /** The plans of {@code source} with what the algorithm adds to them. */
    default PlanSource plans(StrategySpec strategy, PlanSource source) {
        return source;
    }

    /**
     * What {@code strategy: auto} chooses among, the plainest first; nothing for an algorithm that
     * only users take.
     *
     * @param settings of the job, with its traffic and division
     * @param sites of the machines
     */
    default List<StrategySpec> choices(StrategySpec settings, int sites) {
        return List.of();
    }

    /** What a plan shows beside those. */
    default List<StrategySpec> shown(StrategySpec settings, int sites) {
        return List.of();
    }

    /** Whether comparisons show it with a codec too. */
    default boolean isShownCoded() {
        return false;
    }
}
