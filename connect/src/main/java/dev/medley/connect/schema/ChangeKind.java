package dev.medley.connect.schema;

/** Names the ways in which a column may change. */
public enum ChangeKind {
    /** It is new. */
    ADDED,
    /** The source has it no more. */
    DROPPED,
    /** It has another name; only sources that number their columns can tell. */
    RENAMED,
    /** The same kind of value with room for more. */
    WIDENED,
    /** The same kind of value with room for less, or for more here and less there. */
    NARROWED,
    /** Another kind of value. */
    RETYPED,
    /** Rows may lack a value here that had one, or the other way round. */
    NULLABILITY
}
