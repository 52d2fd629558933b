package dev.medley.trees;

/**
 * Holds what splits on a column brought.
 *
 * @param column by name
 * @param gain by which the loss fell, summed over splits
 * @param splits on it
 */
public record TreeGain(String column, double gain, long splits) {}
