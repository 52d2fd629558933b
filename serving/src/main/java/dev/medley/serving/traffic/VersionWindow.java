package dev.medley.serving.traffic;

/**
 * Says what was seen of a version for a moment.
 *
 * @param requests that ended
 * @param errors of those
 * @param latenciesNs of requests, as far as they were seen
 * @param losses of what callers reported
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record VersionWindow(long requests, long errors, long[] latenciesNs, double[] losses) {}
