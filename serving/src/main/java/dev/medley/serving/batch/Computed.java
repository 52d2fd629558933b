package dev.medley.serving.batch;

/**
 * Holds a caller's outputs, and how they came about.
 *
 * @param outputs of its rows, in their order
 * @param width outputs of a row
 * @param queuedNs before its first row was computed
 * @param computedNs from then to its last row
 * @param batches in which its rows were
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Computed(float[] outputs, int width, long queuedNs, long computedNs, int batches) {
    /** The outputs of one row. */
    public float[] row(int at) {
        float[] row = new float[width];
        System.arraycopy(outputs, at * width, row, 0, width);
        return row;
    }
}
