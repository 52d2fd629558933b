package dev.medley.training.strategy;

import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * A worker's part of a step.
 *
 * @param step number, from 1
 * @param rank of the worker
 * @param position of its first sample within the step's samples of all workers
 * @param shares samples of the step by rank
 * @param batches that each rank's samples come in, in order of rank; at least one each
 * @param microBatch most samples that go through the model at once
 * @param clocks batches of {@code train.batch} samples that all take together in the step
 * @param learningRateFactor of the schedule, for each of this rank's batches from 0
 * @param patience with a rank that is late, where rounds do not wait for all
 */
public record Part(
        long step,
        int rank,
        long position,
        List<Integer> shares,
        List<Integer> batches,
        int microBatch,
        int clocks,
        IntToDoubleFunction learningRateFactor,
        Patience patience) {
    /** The part of a late rank's work that the others wait for. */
    public enum Patience {
        /** All of its batches: the last step of an epoch leaves nothing for later. */
        ALL,
        /** The batch that it is in. */
        BATCH,
        /** Nothing. */
        NONE
    }

    public Part {
        shares = List.copyOf(shares);
        batches = List.copyOf(batches);
    }

    /** A part of a step that waits for all, of batches that are full. */
    public Part(
            long step,
            int rank,
            long position,
            List<Integer> batches,
            int microBatch,
            int clocks,
            IntToDoubleFunction learningRateFactor) {
        this(
                step,
                rank,
                position,
                batches.stream().map(count -> microBatch * count).toList(),
                batches,
                microBatch,
                clocks,
                learningRateFactor,
                Patience.ALL);
    }

    /** The same with as many clocks as the rank with most has batches. */
    public Part(
            long step,
            int rank,
            long position,
            List<Integer> batches,
            int microBatch,
            IntToDoubleFunction learningRateFactor) {
        this(
                step,
                rank,
                position,
                batches,
                microBatch,
                batches.stream().mapToInt(Integer::intValue).max().orElse(1),
                learningRateFactor);
    }

    /** Samples of the step, over all workers. */
    public long samples() {
        return shares.stream().mapToLong(Integer::longValue).sum();
    }

    /**
     * What the sum of what all give will be divided by where each sample weighs one; 0 where there
     * are none. Of data parallelism, the samples.
     */
    public double unit() {
        List<Double> weights = shares.stream().map(Integer::doubleValue).toList();
        return samples() == 0 ? 0 : NormalizedAveraging.divisor(weights, batches);
    }

    /** Batches of this rank. */
    public int ownBatches() {
        return batches.get(rank);
    }
}
