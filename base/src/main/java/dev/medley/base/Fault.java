package dev.medley.base;

/**
 * A failure outside this process (a peer, a link or a store) that ends a <em>step</em>, but never
 * the program. A fault is a value; it is never thrown across threads.
 *
 * @param kind what failed
 * @param who the peer or resource that failed, as the user knows it
 * @param message one sentence: what happened, both values, and what follows
 */
public record Fault(Kind kind, String who, String message) {
    /** Whether it may be the way to another worker that failed. */
    public boolean isOfAnother() {
        return kind == Kind.PEER || kind == Kind.LINK;
    }

    /** What failed. */
    public enum Kind {
        /** A peer closed, went silent, or said something that does not belong to this step. */
        PEER,
        /** The connection to a peer broke. */
        LINK,
        /** A store could not be read or written. */
        STORE,
        /** The group was sealed by the coordinator while the step was under way. */
        SEALED
    }
}
