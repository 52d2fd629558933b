package dev.medley.trees;

/** A member of a group of trees is gone, silent, or did not come: the round cannot be grown. */
public final class PeerGoneException extends TreeException {
    private static final long serialVersionUID = 1L;

    PeerGoneException(String message) {
        super(message);
    }
}
