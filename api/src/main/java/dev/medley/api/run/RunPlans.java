package dev.medley.api.run;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec;
import dev.medley.data.batch.TrainingData;
import dev.medley.plan.chain.PlanChain;
import dev.medley.plan.policy.BatchPolicy;
import dev.medley.plan.policy.BatchRoom;
import dev.medley.plan.source.AdaptivePlan;
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
    static PlanChain of(
            JobSpec job,
            long lastStep,
            @Nullable RunFolder resumed,
            long savedStep,
            EarlierRuns earlier) {
        return new PlanChain(
                job.strategy(),
                shares(job),
                job.isBalanced(),
                job.model() instanceof ModelSpec.Trees,
                lastStep,
                new PlanChain.Memory(earlier.room(job), earlier.caps()),
                job.train().batches().isAdaptive()
                        ? new PlanChain.Batches(policy(job.train()), before(resumed), savedStep)
                        : null,
                null);
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
        long each =
                job.train().takesAllSamples()
                        ? TrainingData.heldBytesPerSample(signature)
                        : TrainingData.bytesPerSample(signature, job.data().prefetchBatches());
        return new BatchRoom(each, hereBytes);
    }

    /** SGD moves along the gradient as it is; the others divide it by its own size. */
    static BatchPolicy policy(TrainSpec train) {
        boolean isScaled = train.optimizer().kind() != OptimizerSpec.Kind.SGD;
        int largest = train.batches().largest();
        return isScaled
                ? BatchPolicy.ofRoot(train.batch(), largest)
                : BatchPolicy.of(train.batch(), largest);
    }

    /** The plans under which a run took its steps. */
    private static List<AdaptivePlan.Before> before(@Nullable RunFolder resumed) {
        return resumed == null
                ? List.of()
                : PlanRecord.inForce(RunRecord.read(resumed).plans()).stream()
                        .map(
                                record ->
                                        new AdaptivePlan.Before(
                                                record.fromStep(),
                                                record.plan().globalBatch(),
                                                record.plan().learningRateScale()))
                        .toList();
    }
}
