package dev.medley.plan.codec;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.plan.policy.BatchRoom;

/**
 * The facts of a job that a forecast needs. Activations are not among them: they stay on their
 * machine.
 *
 * @param parameterBytes of one replica, which is what one exchange sums
 * @param bucketBytes of the last bucket of gradients, which no computing hides
 * @param batch samples of one step over all machines ({@code train.batch})
 * @param innerBatch samples of one step that a machine takes by itself in a round
 * @param samplesPerEpoch training samples
 * @param budget when training ends
 * @param followsSpeed whether shares follow the speed of machines; else they are equal
 * @param mostFragments into which the parameters can be cut
 * @param room for a step's share in a machine's memory
 */
public record ModelFacts(
        long parameterBytes,
        long bucketBytes,
        int batch,
        int innerBatch,
        long samplesPerEpoch,
        Budget budget,
        boolean followsSpeed,
        int mostFragments,
        BatchRoom room) {
    /** Models leave in about so many buckets at least; see docs/exchange.md. */
    private static final int LEAST_BUCKETS = 4;

    private static final long LEAST_BUCKET_BYTES = 256 << 10;

    public ModelFacts {
        check(parameterBytes > 0, "a model of %d bytes", parameterBytes);
        check(bucketBytes > 0, "buckets of %d bytes", bucketBytes);
        check(batch > 0 && innerBatch > 0, "batches of %d and %d samples", batch, innerBatch);
        check(samplesPerEpoch > 0, "%d samples an epoch", samplesPerEpoch);
    }

    /** Facts of a model of many arrays, and of small samples. */
    public ModelFacts(
            long parameterBytes,
            long bucketBytes,
            int batch,
            int innerBatch,
            long samplesPerEpoch,
            Budget budget,
            boolean followsSpeed) {
        this(
                parameterBytes,
                bucketBytes,
                batch,
                innerBatch,
                samplesPerEpoch,
                budget,
                followsSpeed,
                Integer.MAX_VALUE,
                BatchRoom.UNLIMITED);
    }

    /**
     * The facts of a job with a model of that size.
     *
     * @param arrays of parameters, each of which travels whole
     */
    public static ModelFacts of(
            JobSpec job, long parameterBytes, int arrays, long samplesPerEpoch) {
        int workers = job.cluster().workers();
        int asked = job.strategy().round().innerBatch();
        return new ModelFacts(
                parameterBytes,
                lastBucketBytes(parameterBytes, job.strategy().bucketBytes()),
                job.train().batch(),
                asked > 0 ? asked : Math.max(1, job.train().batch() / workers),
                samplesPerEpoch,
                job.train().budget(),
                job.isBalanced(),
                Math.max(1, arrays),
                BatchRoom.UNLIMITED);
    }

    /**
     * Bytes of the last bucket of a model of that size, of which no more is known.
     *
     * @param mostBytes of a bucket
     */
    public static long lastBucketBytes(long parameterBytes, int mostBytes) {
        long quarter = Math.max(LEAST_BUCKET_BYTES, parameterBytes / LEAST_BUCKETS);
        return Math.min(parameterBytes, Math.min(mostBytes, quarter));
    }

    /** The same with shares that follow the speed of machines. */
    public ModelFacts followingSpeed() {
        return new ModelFacts(
                parameterBytes,
                bucketBytes,
                batch,
                innerBatch,
                samplesPerEpoch,
                budget,
                true,
                mostFragments,
                room);
    }

    /** The same of shares that have so much room. */
    public ModelFacts within(BatchRoom other) {
        return new ModelFacts(
                parameterBytes,
                bucketBytes,
                batch,
                innerBatch,
                samplesPerEpoch,
                budget,
                followsSpeed,
                mostFragments,
                other);
    }

    /** The part of the gradients that leaves last. */
    double lastBucketPart() {
        return (double) bucketBytes / parameterBytes;
    }

    /** Samples that the budget allows; {@link Long#MAX_VALUE} if only time limits it. */
    public long budgetSamples() {
        long stepsPerEpoch = (samplesPerEpoch + batch - 1) / batch;
        long steps = budget.maxSteps(stepsPerEpoch);
        if (steps == Long.MAX_VALUE) {
            return steps;
        }
        return steps / stepsPerEpoch * samplesPerEpoch
                + Math.min(samplesPerEpoch, steps % stepsPerEpoch * batch);
    }
}
