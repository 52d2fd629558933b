package dev.medley.fleet.rates;

/**
 * Holds an expected rate with its error.
 *
 * @param rate work a second on one machine: the median
 * @param relativeError one standard deviation of its logarithm
 */
public record RateEstimate(double rate, double relativeError) {}
