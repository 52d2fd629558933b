package dev.medley.kubernetes.operator;

/** The name of an object that a job wants is taken by somebody else's. */
final class TakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Trouble trouble;

    TakenException(Trouble trouble) {
        super(trouble.sentence());
        this.trouble = trouble;
    }

    Trouble trouble() {
        return trouble;
    }
}
