package dev.medley.net.membership;

/** Says what follows a pause of a group. */
public enum PauseKind {
    /** Another group. */
    REFORM,
    /** The end: the user wants no more. */
    END
}
