package dev.medley.plan.simulator;

import dev.medley.base.WorkerId;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Stragglers.Policy;
import dev.medley.plan.chain.PlanChain;
import dev.medley.plan.codec.CodecPlan;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.simulator.step.TrainingLoad;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.SharePlan;
import dev.medley.profile.speed.StepTime;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Builds the plan sources of a simulated job: those of a run ({@link PlanChain}). Machines differ,
 * so shares follow speed unless the job says otherwise; memory is not simulated, nor is a batch
 * that adapts, since no gradient is there.
 */
final class Plans {
    /** Of a run that is long enough for whatever pays. */
    static final int STEPS_OF_RUN = 1_000_000;

    private Plans() {}

    /**
     * What plans are for.
     *
     * @param strategy of the job
     * @param load of the model
     * @param batch samples of one batch over all machines
     * @param innerBatch samples of a step that a worker takes by itself; 0 where all take each
     *     together
     */
    record Job(StrategySpec strategy, TrainingLoad load, int batch, int innerBatch) {
        /** Whether plans follow from what ways between machines carry. */
        boolean looksAtWays() {
            return strategy.hasOpenCodec() || isLeft();
        }

        private boolean isLeft() {
            return strategy.stragglers().policy() == Policy.LEAVE;
        }

        /**
         * The plans of a run.
         *
         * @param times of the machines between two exchanges, by rank
         * @param ids of those that run on them
         */
        PlanSource plans(List<StepTime> times, IntFunction<WorkerId> ids) {
            int samples = strategy.round().syncEvery() * batch;
            boolean asAsked = strategy.shares().size() == times.size();
            List<Double> wanted = asAsked ? strategy.shares() : List.of();
            int inner = innerBatch == 0 ? batch : innerBatch;
            PlanChain chain =
                    new PlanChain(
                            strategy,
                            new SharePlan(samples, inner, 1, wanted),
                            !asAsked && strategy.balance() != StrategySpec.Balance.NONE,
                            false,
                            STEPS_OF_RUN,
                            PlanChain.Memory.unlimited(),
                            null,
                            strategy.hasOpenCodec() ? terms() : null);
            PlanSource source = chain.coded(chain.source());
            for (int rank = 0; rank < times.size(); rank++) {
                StepTime time = times.get(rank);
                int tried = Math.max(1, samples / times.size());
                source.joins(
                        ids.apply(rank),
                        List.of(Shares.tried(time, tried), Shares.tried(time, 2 * tried)));
            }
            return source;
        }

        private CodecPlan.Terms terms() {
            long bytes = load.gradientBytes();
            ModelFacts facts =
                    new ModelFacts(
                            bytes,
                            ModelFacts.lastBucketBytes(bytes, strategy.bucketBytes()),
                            batch,
                            Math.max(1, innerBatch),
                            (long) STEPS_OF_RUN * batch,
                            new Budget(0, STEPS_OF_RUN, 0),
                            true);
            return new CodecPlan.Terms(strategy, facts, STEPS_OF_RUN, 0, Survey::assumed);
        }
    }
}
