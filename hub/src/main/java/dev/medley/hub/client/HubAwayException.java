package dev.medley.hub.client;

/** Reports that no hub answered. */
public final class HubAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A complete sentence for the user. */
    public HubAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
