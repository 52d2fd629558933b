package dev.medley.connect.salesforce.call;

import java.io.IOException;

/**
 * Ends a sync early because its share of the day's calls, or the whole org's, is used up. All
 * positions are kept: a sync after the named time goes on.
 */
public final class LimitReached extends IOException {
    private static final long serialVersionUID = 1L;

    LimitReached(String message) {
        super(message);
    }
}
