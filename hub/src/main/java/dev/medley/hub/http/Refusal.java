package dev.medley.hub.http;

/** Ends a request with a status and one sentence for who asked. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    Refusal(int status, String sentence) {
        super(sentence, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }

    /** What is said; never null. */
    String sentence() {
        return String.valueOf(getMessage());
    }
}
