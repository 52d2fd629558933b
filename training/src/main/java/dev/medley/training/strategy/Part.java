package dev.medley.training.strategy;

import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * One worker's part of a step.
 *
 * @param step number, from 1
 * @param rank of the worker
 * @param position of its first sample within the step's samples of all workers
 * @param batches that each rank's samples come in, in order of rank; at least one each
 * @param microBatch most samples that go through the model at once
 * @param learningRateFactor of the schedule, for each of this rank's batches from 0
 */
public record Part(
        long step,
        int rank,
        long position,
        List<Integer> batches,
        int microBatch,
        IntToDoubleFunction learningRateFactor) {
    public Part {
        batches = List.copyOf(batches);
    }

    /** Batches of this rank. */
    public int ownBatches() {
        return batches.get(rank);
    }
}
