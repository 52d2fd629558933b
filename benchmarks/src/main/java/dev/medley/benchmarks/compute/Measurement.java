package dev.medley.benchmarks.compute;

/**
 * The measurements that one process reports of itself.
 *
 * @param steps that were measured
 * @param samplesPerSecond over all measured steps
 * @param medianStepMillis of the measured steps; 0 where the process does not tell
 * @param cpuMillisPerStep user and system time
 */
record Measurement(
        long steps, double samplesPerSecond, double medianStepMillis, double cpuMillisPerStep) {}
