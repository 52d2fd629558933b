package dev.medley.inference.explain;

/** Time that was over before there was anything to say. */
public final class OverdueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Of an explanation that was given up. */
    public OverdueException() {
        super("the time for this explanation is over", null, false, false);
    }
}
