package dev.medley.fleet.state;

import java.util.Map;

/**
 * Holds what was measured of a job's run.
 *
 * @param done samples that were applied, over all attempts
 * @param total samples of the whole job; NaN where it is not known
 * @param perSecond samples a second now; 0 while it waits
 * @param loss last known; NaN before
 * @param rates samples a second of one machine by type, where as many work as it needs at least
 * @param exchangeRate samples a second that talking among machines would allow; infinite while it
 *     was not measured
 * @param peakBytes most memory that one of its workers took; 0 before
 * @param restartS seconds from being granted machines to the next step, last time; NaN before
 */
public record JobMeasure(
        double done,
        double total,
        double perSecond,
        double loss,
        Map<String, Double> rates,
        double restartS,
        double exchangeRate,
        long peakBytes) {
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    /** Nothing yet. */
    public static final JobMeasure NONE =
            new JobMeasure(0, Double.NaN, 0, Double.NaN, Map.of(), Double.NaN, INFINITE, 0);

    public JobMeasure {
        rates = Map.copyOf(rates);
        exchangeRate = exchangeRate > 0 ? exchangeRate : INFINITE; // An older journal has none.
    }

    /** Samples still to do; NaN where it is not known. */
    public double remaining() {
        return Math.max(0, total - done);
    }
}
