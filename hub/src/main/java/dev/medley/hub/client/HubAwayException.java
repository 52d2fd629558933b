package dev.medley.hub.client;

import dev.medley.base.ConfigException;

/** Reports that no hub answered: one may later. */
public final class HubAwayException extends ConfigException {
    private static final long serialVersionUID = 1L;

    /** A complete sentence for the user. */
    HubAwayException(String message) {
        super(message);
    }

    /** The same, with what failed. */
    HubAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
