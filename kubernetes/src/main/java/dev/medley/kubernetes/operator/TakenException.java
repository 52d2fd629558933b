package dev.medley.kubernetes.operator;

/** The name of an object that a job wants is taken by somebody else's. */
final class TakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient JobTrouble trouble;

    TakenException(JobTrouble trouble) {
        super(trouble.sentence());
        this.trouble = trouble;
    }

    JobTrouble trouble() {
        return trouble;
    }
}
