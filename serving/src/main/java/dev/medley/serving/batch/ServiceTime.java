package dev.medley.serving.batch;

/**
 * Estimates how long a batch takes: {@code fixed + perRow * rows}, by least squares over batches of
 * which each later one counts more.
 *
 * @param weight of all batches, of which the latest counts 1
 * @param rows their weighted sum
 * @param ns theirs
 * @param rowsRows weighted sum of squares
 * @param rowsNs weighted sum of products
 */
public record ServiceTime(double weight, double rows, double ns, double rowsRows, double rowsNs) {
    private static final double MEMORY = 0.98;

    /** Before the first batch. */
    public static final ServiceTime UNKNOWN = new ServiceTime(0, 0, 0, 0, 0);

    /** With one more batch. */
    public ServiceTime with(int batchRows, long tookNs) {
        return new ServiceTime(
                weight * MEMORY + 1,
                rows * MEMORY + batchRows,
                ns * MEMORY + tookNs,
                rowsRows * MEMORY + (double) batchRows * batchRows,
                rowsNs * MEMORY + (double) batchRows * tookNs);
    }

    /** Whether there was a batch. */
    public boolean isKnown() {
        return weight > 0;
    }

    /** Nanoseconds that each row adds; 0 where all batches had as many. */
    public double perRowNs() {
        double spread = weight * rowsRows - rows * rows;
        if (spread <= 1e-9 * weight * rowsRows) {
            return 0;
        }
        return Math.max(0, (weight * rowsNs - rows * ns) / spread);
    }

    /** Nanoseconds that a batch takes however few rows it has. */
    public double fixedNs() {
        return weight == 0 ? 0 : Math.max(0, (ns - perRowNs() * rows) / weight);
    }

    /** Nanoseconds that a batch of so many rows takes. */
    public double ofNs(int batchRows) {
        return fixedNs() + perRowNs() * batchRows;
    }
}
