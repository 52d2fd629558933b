package dev.medley.connect.salesforce.call;

import java.io.IOException;

/** Says what an org did not do, with its own code and words. */
public final class SalesforceRefusal extends IOException {
    private static final long serialVersionUID = 1L;
    private final int status;
    private final String code;

    SalesforceRefusal(int status, String code, String said, String what) {
        super("%s: Salesforce answers %d %s: %s".formatted(what, status, code, said.strip()));
        this.status = status;
        this.code = code;
    }

    /** Of HTTP. */
    public int status() {
        return status;
    }

    /** The word of the org, such as NOT_FOUND; empty where it said none. */
    public String code() {
        return code;
    }

    /** Whether what was asked for is not there. */
    public boolean isGone() {
        return status == 404;
    }
}
