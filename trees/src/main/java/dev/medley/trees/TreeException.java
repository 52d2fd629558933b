package dev.medley.trees;

/** Something that XGBoost refuses, in its words; a bug, or rows that it cannot learn from. */
public class TreeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TreeException(String message) {
        super(message);
    }
}
