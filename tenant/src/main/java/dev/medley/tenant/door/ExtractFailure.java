package dev.medley.tenant.door;

import java.io.IOException;

/** An extract could not be made; its message is for operators, and has no value of a row. */
final class ExtractFailure extends IOException {
    private static final long serialVersionUID = 1L;

    ExtractFailure(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /** What may be said of any failure: of others their kind alone. */
    static String said(Exception e) {
        return e instanceof ExtractFailure
                ? String.valueOf(e.getMessage())
                : e.getClass().getSimpleName();
    }
}
