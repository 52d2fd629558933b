package dev.medley.serving.traffic;

/**
 * Compares two versions in one respect.
 *
 * @param championCount requests, or reported values
 * @param championMean share of errors, seconds, or the metric as it was reported
 * @param eWorse evidence that the challenger is worse: chance alone gets beyond X with probability
 *     1/X at most
 * @param eGood evidence that it is not worse by the margin, likewise
 */
public record Comparison(
        long championCount,
        double championMean,
        long challengerCount,
        double challengerMean,
        double eWorse,
        double eGood) {}
