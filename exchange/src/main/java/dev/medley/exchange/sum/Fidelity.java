package dev.medley.exchange.sum;

/** The fidelity of a sum: of exactly the values that were handed over, or of nearly those. */
public enum Fidelity {
    /** The plain sum: counts, metrics, statistics. */
    EXACT,
    /**
     * What crosses the border of a site may go through a codec, if the group has one: gradients and
     * changes of parameters, where the next step makes up for what was left out.
     */
    CODED
}
