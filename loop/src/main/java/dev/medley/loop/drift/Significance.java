package dev.medley.loop.drift;

/**
 * Holds the outcome of a test of one look: it is wrong as often as its level says only where nobody
 * looks twice.
 *
 * @param pValue how likely a statistic at least as far out is if both samples have one source
 */
public record Significance(double statistic, double pValue) {}
