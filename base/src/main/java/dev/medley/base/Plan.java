package dev.medley.base;

import java.util.List;

/**
 * How a group trains until further notice. Plans are part of a run's record: the same seed, data
 * and recorded plans give the same numbers.
 *
 * @param version grows with every plan of a run, from 1
 * @param shares samples of each rank in one step, in order of rank; their sum is the global batch;
 *     zero is allowed
 * @param microBatch most samples that go through the model at once
 * @param why one sentence for the user
 */
public record Plan(int version, List<Integer> shares, int microBatch, String why) {
    public Plan {
        shares = List.copyOf(shares);
    }

    /** Samples of one full step over all ranks. */
    public int globalBatch() {
        return shares.stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * Where rank's share of a step with {@code samples} samples begins, relative to the step's
     * first sample. A short last step of an epoch is cut in proportion to the shares, so that no
     * rank is left with all of it.
     */
    public long shareStart(int rank, long samples) {
        long before = 0;
        for (int r = 0; r < rank; r++) {
            before += shares.get(r);
        }
        int global = globalBatch();
        return samples == global ? before : before * samples / global;
    }

    /** Where rank's share ends; see {@link #shareStart}. */
    public long shareEnd(int rank, long samples) {
        return rank + 1 == shares.size() ? samples : shareStart(rank + 1, samples);
    }
}
