package dev.medley.tenant.read;

/** Reports that a caller may not have what he asks for; the message says why, without values. */
public final class ReadDenied extends Exception {
    private static final long serialVersionUID = 1L;

    /** One sentence. */
    public ReadDenied(String why) {
        super(why);
    }
}
