package dev.medley.net.control;

/**
 * Reports a message that a peer cannot mean: out of order, or untrue whatever the state of the run.
 * It costs that peer's connection and nothing else; the exception's message is one sentence for the
 * log.
 */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says what was wrong. */
    public ProtocolException(String message) {
        super(message);
    }

    /** Complains unless {@code isSo}; formatted like {@link String#format}. */
    public static void check(boolean isSo, String message, Object... arguments) {
        if (!isSo) {
            throw new ProtocolException(message.formatted(arguments));
        }
    }
}
