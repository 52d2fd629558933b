package dev.medley.tensor.factor;

import java.util.Arrays;

/**
 * Samples with the rows that they touch, each of which has a place among them.
 *
 * @param rows ascending and different; the row of the bias is the last
 * @param places of each sample's rows, categories first, as many for each sample
 * @param numbers of each sample, as many for each
 * @param targets in the units of the loss
 * @param weights of the samples
 */
public record TouchedBatch(
        int[] rows, int[] places, float[] numbers, float[] targets, float[] weights) {
    int samples() {
        return targets.length;
    }

    /** Places of one sample. */
    int ofSample() {
        return samples() == 0 ? 0 : places.length / samples();
    }

    /** Sum of the samples' weights. */
    double weight() {
        double sum = 0;
        for (float weight : weights) {
            sum += weight;
        }
        return sum;
    }

    /**
     * The same samples among more rows.
     *
     * @param all ascending and different, {@link #rows} among them
     */
    public TouchedBatch among(int[] all) {
        int[] to = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            to[i] = Arrays.binarySearch(all, rows[i]);
        }
        int[] moved = new int[places.length];
        for (int i = 0; i < places.length; i++) {
            moved[i] = to[places[i]];
        }
        return new TouchedBatch(all, moved, numbers, targets, weights);
    }
}
