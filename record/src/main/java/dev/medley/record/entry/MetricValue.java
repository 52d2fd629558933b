package dev.medley.record.entry;

/**
 * A metric's figure.
 *
 * @param name as in the job file
 * @param value may be NaN where the metric has no value
 * @param better which way it improves
 */
public record MetricValue(String name, double value, Better better) {
    /** The direction in which a metric improves. */
    public enum Better {
        HIGHER,
        LOWER
    }

    /** Whether this figure is strictly better than {@code other}; NaN never is. */
    public boolean beats(MetricValue other) {
        if (Double.isNaN(value)) {
            return false;
        }
        if (Double.isNaN(other.value)) {
            return true;
        }
        return better == Better.HIGHER ? value > other.value : value < other.value;
    }
}
