package dev.medley.serving.route;

/** States of a server, as the router sees it; the sooner named ones are preferred. */
public enum ReplicaState {
    /** It answers. */
    READY,
    /** It answers, though not for all of its models. */
    NOT_READY,
    /** It is about to stop, and answers what still comes. */
    ENDING,
    /** It was not asked yet. */
    NEW,
    /** It does not answer. */
    OUT;

    /** Whether it may be sent a request. */
    boolean answers() {
        return compareTo(ENDING) <= 0;
    }
}
