package dev.medley.exchange.sum;

/** The ranks over which a slice is summed. */
public enum Scope {
    /** All members of the group. */
    ALL,
    /** The members of this rank's site: its mates. Slices of other sites are no concern of it. */
    SITE
}
