package dev.medley.inference.metric;

/**
 * Gives a fixed number of doubles for a block of samples. It has no state, so any rank can compute
 * any block, and what follows from all blocks' doubles in order is the same for any number of
 * ranks.
 */
public interface BlockValues {
    /** Doubles that a block of {@code samples} gives. */
    int valuesOf(int samples);

    /** The doubles of one block, {@code valuesOf(block.samples())} of them. */
    double[] values(EvaluatedBlock block);

    /** Whose doubles these are: who has an equal source shares them, computed and sent once. */
    default BlockValues source() {
        return this;
    }
}
