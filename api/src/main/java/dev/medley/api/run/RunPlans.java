package dev.medley.api.run;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import dev.medley.data.batch.TrainingData;
import dev.medley.plan.policy.BatchPolicy;
import dev.medley.plan.policy.BatchRoom;
import dev.medley.plan.source.AdaptivePlan;
import dev.medley.plan.source.BalancedPlan;
import dev.medley.plan.source.CappedPlan;
import dev.medley.plan.source.HybridPlan;
import dev.medley.plan.source.LeavingPlan;
import dev.medley.plan.source.NamedBorders;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.ServerPlan;
import dev.medley.plan.source.SharePlan;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the sources of a job's plans, one around the other. */
public final class RunPlans {
    private RunPlans() {}

    /**
     * What decides how the groups of a job train.
     *
     * @param lastStep of the run
     * @param resumed the run that is gone on with; null for a new one
     * @param savedStep the step after which it goes on
     * @param earlier what is known of machines
     */
    static PlanSource of(
            JobSpec job,
            long lastStep,
            @Nullable RunFolder resumed,
            long savedStep,
            EarlierRuns earlier) {
        SharePlan even = shares(job);
        Stragglers late = job.strategy().stragglers();
        PlanSource source = even;
        @Nullable BalancedPlan balanced = null;
        if (job.isBalanced()) {
            balanced =
                    BalancedPlan.of(even, job.strategy().round().syncEvery(), lastStep)
                            .within(earlier.room(job));
            source =
                    late.policy() == Stragglers.Policy.SHRINK
                            ? balanced.shrinking(late.bound())
                            : balanced;
        }
        if (job.train().batches().isAdaptive()) {
            BatchPolicy policy = policy(job.train());
            AdaptivePlan adaptive =
                    balanced == null
                            ? AdaptivePlan.of(even, policy)
                            : AdaptivePlan.of(balanced, policy);
            source = resumed == null ? adaptive : goingOn(adaptive, resumed, savedStep);
        }
        if (late.policy() == Stragglers.Policy.LEAVE) {
            source = new LeavingPlan(source, late.bound());
        }
        if (job.strategy().kind() == StrategySpec.Kind.HYBRID) {
            source = new HybridPlan(source);
        }
        if (job.strategy().kind() == StrategySpec.Kind.PARAMETER_SERVER) {
            source = new ServerPlan(source, job.strategy().async().servers());
        }
        List<BorderCodec> borders = job.strategy().codec().borders();
        if (!borders.isEmpty()) {
            source = new NamedBorders(borders, source);
        }
        return earlier.around(job, new CappedPlan(source, earlier.caps()));
    }

    /** How the samples between two exchanges are cut as long as no speed is known. */
    public static SharePlan shares(JobSpec job) {
        return new SharePlan(
                job.roundSamples(),
                job.innerBatch(),
                job.train().accumulate(),
                job.strategy().shares());
    }

    /**
     * How large the share of a step may be.
     *
     * @param hereBytes of memory for a worker that runs on the coordinator's machine
     */
    static BatchRoom room(JobSpec job, Signature signature, long hereBytes) {
        return new BatchRoom(
                TrainingData.bytesPerSample(signature, job.data().prefetchBatches()), hereBytes);
    }

    /** SGD moves along the gradient as it is; the others divide it by its own size. */
    static BatchPolicy policy(TrainSpec train) {
        boolean isScaled = train.optimizer().kind() != OptimizerSpec.Kind.SGD;
        int largest = train.batches().largest();
        return isScaled
                ? BatchPolicy.ofRoot(train.batch(), largest)
                : BatchPolicy.of(train.batch(), largest);
    }

    /** With the batch of the plan under which the last step was taken. */
    private static PlanSource goingOn(AdaptivePlan adaptive, RunFolder resumed, long savedStep) {
        List<AdaptivePlan.Before> before =
                PlanRecord.inForce(RunRecord.read(resumed).plans()).stream()
                        .map(
                                record ->
                                        new AdaptivePlan.Before(
                                                record.fromStep(),
                                                record.plan().globalBatch(),
                                                record.plan().learningRateScale()))
                        .toList();
        return adaptive.goingOn(before, savedStep);
    }
}
