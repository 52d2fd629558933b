package dev.medley.training.prediction;

import dev.medley.base.Plan;

/**
 * Division of samples into blocks, and of blocks into the steps of a prediction. It is the same for
 * all plans: these deal out the blocks of each step.
 *
 * @param samples all of them
 * @param blockSamples of each block but the last
 * @param stepBlocks of each step but the last
 */
public record PredictionBlocks(long samples, int blockSamples, int stepBlocks) {
    /** How many blocks there are. */
    public long count() {
        return (samples + blockSamples - 1) / blockSamples;
    }

    /** The last step; the first is 1. */
    public long lastStep() {
        return (count() + stepBlocks - 1) / stepBlocks;
    }

    /** The first block of a step. */
    public long first(long step) {
        return Math.min(count(), (step - 1) * stepBlocks);
    }

    /** The first block of a step that a rank computes. */
    public long from(long step, Plan plan, int rank) {
        return first(step) + plan.shareStart(rank, first(step + 1) - first(step));
    }

    /** The block after the last of a step that a rank computes. */
    public long to(long step, Plan plan, int rank) {
        return first(step) + plan.shareEnd(rank, first(step + 1) - first(step));
    }

    /** The steps of which all blocks are among the first so many. */
    public long stepsIn(long blocks) {
        return blocks == count() ? lastStep() : blocks / stepBlocks;
    }

    /** The first sample of a block. */
    public long firstSample(long block) {
        return Math.min(samples, block * blockSamples);
    }
}
