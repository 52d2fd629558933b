package dev.medley.hub.service;

/**
 * Holds how a job's loss went, thinned to what a chart shows.
 *
 * @param epochS moments in seconds of the epoch
 * @param loss of training at each
 */
public record JobCurve(long id, double[] epochS, double[] loss) {}
