package dev.medley.fleet.view;

/**
 * Marks what a policy wants to know again the next time it is asked. It is a value; who asks gives
 * it back as it was, and may lose it: then the policy begins anew.
 */
public interface Carried {
    /** Nothing, as at the beginning. */
    Carried NONE = new Carried() {};
}
