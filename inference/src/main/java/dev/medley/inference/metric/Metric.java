package dev.medley.inference.metric;

import java.util.List;

/**
 * Computes a figure of merit. A block of samples gives a fixed number of doubles, and the figure is
 * a function of all blocks' doubles in order: it has no state, so any rank can compute any block.
 * Its figure is used where all outputs mean something (see {@link SoundOutputs}). Users may write
 * their own; it has a constructor without parameters, or one that takes a {@code Map<String,
 * String>} of options.
 */
public interface Metric extends BlockValues {
    /** The name in job files and records. */
    String name();

    /** Whether a larger figure is better. */
    boolean isHigherBetter();

    /** The figure, from the doubles of all blocks in order. */
    double figure(List<double[]> blocks);
}
