package dev.medley.api.simulate;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.base.job.FamilyRules;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.data.dataset.PreparedData;
import dev.medley.plan.simulator.step.TrainingLoad;
import dev.medley.plan.simulator.step.TrainingLoad.Bucket;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.model.Networks;
import dev.medley.training.bucket.BucketRanges;
import dev.medley.training.bucket.Fragments;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model as the simulator needs it.
 *
 * @param load its buckets
 * @param samples of the whole training
 * @param sample what is counted as one
 * @param length of the training in words
 * @param assumed what was, where the data is not here; null where nothing was
 */
record SimulatedModel(
        TrainingLoad load, double samples, String sample, String length, @Nullable String assumed) {
    private static final int ALIGNMENT_BYTES = 64;

    static SimulatedModel of(ModelProfile profile, long bucketBytes) {
        List<Long> offsets = new ArrayList<>();
        long end = 0;
        for (long elements : profile.slotElements()) {
            offsets.add(end);
            long bytes = elements * Float.BYTES;
            end += (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
        }
        long parameters = profile.slotElements().stream().mapToLong(n -> n).sum();
        return new SimulatedModel(
                load(
                        profile.name(),
                        offsets,
                        end,
                        bucketBytes,
                        profile.statisticElements() * Float.BYTES,
                        parameters),
                profile.samples(),
                profile.sample(),
                profile.title(),
                null);
    }

    /**
     * Of a job: its data are prepared, since input and output sizes follow from them. Where they
     * are not here they are assumed to be of the usual kind.
     */
    static SimulatedModel of(JobSpec job, RunOptions options, RunProgress progress) {
        FamilyRules.requireBatches(job, "medley simulate");
        if (!(job.model() instanceof ModelSpec.Pretrained) && AssumedData.isNeededFor(job)) {
            AssumedData assumed = AssumedData.of(job);
            return of(job, assumed.signature(), assumed.samples(), assumed.sentence());
        }
        PreparedData data = JobRun.prepare(job, options.cache(), progress::preparing);
        return of(JobRun.found(job), data.signature(), data.trainSamples(), null);
    }

    private static SimulatedModel of(
            JobSpec job, Signature signature, long ofAnEpoch, @Nullable String assumed) {
        ParameterLayout layout = Networks.layout(job.model(), job.train().groups(), signature);
        int elementBytes = layout.type().bytes();
        TrainingLoad whole =
                load(
                        job.name(),
                        layout.slots().stream().map(slot -> slot.offset() * elementBytes).toList(),
                        layout.gradientBytes(),
                        job.strategy().bucketBytes(),
                        layout.statisticElements() * elementBytes,
                        layout.parameterCount());
        TrainingLoad load =
                new TrainingLoad(
                        whole.name(),
                        whole.buckets(),
                        whole.statisticBytes(),
                        whole.parameters(),
                        fragments(job.strategy(), layout));
        Budget budget = Budget.of(job, ofAnEpoch);
        return new SimulatedModel(load, budget.samples(), "a sample", budget.words(), assumed);
    }

    /** How the job's strategy cuts the model, as {@code Buckets} does. */
    private static List<List<Long>> fragments(StrategySpec strategy, ParameterLayout layout) {
        StreamSpec stream = strategy.round().stream();
        if (stream.isNone()) {
            return List.of();
        }
        long bucketBytes = BucketRanges.size(layout.gradientBytes(), strategy.bucketBytes());
        return Fragments.of(layout, stream.fragments()).stream()
                .map(fragment -> BucketRanges.of(layout, bucketBytes, List.of(fragment)))
                .map(ranges -> ranges.stream().map(BucketRanges.Range::bytes).toList())
                .toList();
    }

    /** How long a job trains, as far as it is not known only when it does. */
    private record Budget(double samples, String words) {
        static Budget of(JobSpec job, long ofAnEpoch) {
            var budget = job.train().budget();
            double least = (double) budget.leastSteps() * job.train().batch();
            double byEpochs =
                    budget.epochs() > 0
                            ? Math.max(least, budget.epochs() * ofAnEpoch)
                            : Double.MAX_VALUE;
            double bySteps =
                    budget.steps() > 0
                            ? (double) budget.steps() * job.train().batch()
                            : Double.MAX_VALUE;
            double samples = Math.min(byEpochs, bySteps);
            return samples == Double.MAX_VALUE
                    ? new Budget(ofAnEpoch, "an epoch; the job ends by the clock alone")
                    : new Budget(samples, "%,.0f samples".formatted(samples));
        }
    }

    private static TrainingLoad load(
            String name,
            List<Long> offsets,
            long gradientBytes,
            long mostBucketBytes,
            long statisticBytes,
            long parameters) {
        long bucketBytes = BucketRanges.size(gradientBytes, mostBucketBytes);
        List<Bucket> buckets = new ArrayList<>();
        double slots = offsets.size();
        for (BucketRanges.Range range : BucketRanges.of(offsets, gradientBytes, bucketBytes)) {
            // Backward goes from the last parameter to the first, each for an equal part of it.
            buckets.add(new Bucket(range.bytes(), (slots - range.firstSlot()) / slots));
        }
        return new TrainingLoad(name, buckets, statisticBytes, parameters);
    }
}
