package dev.medley.base;

/** How thoroughly a worker tries how fast it is, where that is asked for. */
public enum TrialScope {
    /** Two shares, from which it follows how the time of a step grows with its samples. */
    FULL,
    /** One share: how the time grows with the samples is known from earlier runs. */
    LEVEL
}
