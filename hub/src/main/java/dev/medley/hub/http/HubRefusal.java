package dev.medley.hub.http;

/** Refuses a call with a status of HTTP and a sentence. */
final class HubRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    HubRefusal(int status, String sentence) {
        super(sentence);
        this.status = status;
    }

    int status() {
        return status;
    }
}
