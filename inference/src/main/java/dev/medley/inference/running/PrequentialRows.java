package dev.medley.inference.running;

import java.util.List;

/**
 * Holds what was answered for rows before they were learnt, in their order.
 *
 * @param labels the second class as 1 and the first as 0, or the number
 * @param running answers of the running model, before it learnt the row
 * @param champion answers of the model in production
 * @param refusedRows how many rows are of steps that were taken back
 * @param troubles why, one sentence for each such step
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record PrequentialRows(
        double[] labels,
        double[] running,
        double[] champion,
        long refusedRows,
        List<String> troubles) {
    public PrequentialRows {
        troubles = List.copyOf(troubles);
    }

    /** How many rows there are. */
    public int rows() {
        return labels.length;
    }
}
