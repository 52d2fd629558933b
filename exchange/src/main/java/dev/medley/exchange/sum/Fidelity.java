package dev.medley.exchange.sum;

/** Whether a sum may be of values that are nearly those which were handed over. */
public enum Fidelity {
    /** The plain sum: counts, metrics, statistics. */
    EXACT,
    /**
     * What crosses the border of a site may go through a codec, if the group has one: gradients and
     * changes of parameters, where the next step makes up for what was left out.
     */
    CODED
}
