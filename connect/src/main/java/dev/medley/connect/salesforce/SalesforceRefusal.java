package dev.medley.connect.salesforce;

import java.io.IOException;

/** Says what an org did not do, with its own code and words. */
final class SalesforceRefusal extends IOException {
    private static final long serialVersionUID = 1L;
    private final int status;
    private final String code;

    SalesforceRefusal(int status, String code, String said, String what) {
        super("%s: Salesforce answers %d %s: %s".formatted(what, status, code, said.strip()));
        this.status = status;
        this.code = code;
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    boolean isGone() {
        return status == 404;
    }
}
