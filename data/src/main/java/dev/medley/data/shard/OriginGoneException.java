package dev.medley.data.shard;

/**
 * Something that a worker needs is out of its reach, as blocks that are not on its machine. That is
 * a matter of this machine and its links, not of the job.
 */
public final class OriginGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With one sentence that says what could not be had, from where, and why. */
    public OriginGoneException(String message, Throwable cause) {
        super(message, cause);
    }
}
