package dev.medley.trees;

/** Says what went wrong in XGBoost; the first line of its message. */
public final class TreeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TreeException(String message) {
        super(message);
    }
}
