package dev.medley.connect.salesforce.call;

import java.io.IOException;

/** Says that a service takes a token no longer. */
public final class TokenRefused extends IOException {
    private static final long serialVersionUID = 1L;

    /** With the service's words. */
    public TokenRefused(String message) {
        super(message);
    }
}
