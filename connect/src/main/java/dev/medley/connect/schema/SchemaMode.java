package dev.medley.connect.schema;

/** Says what a contract does with a change of a column. */
public enum SchemaMode {
    /** The snapshot's columns follow the source's. */
    EVOLVE,
    /** The sync is refused until somebody has looked. */
    FREEZE,
    /** The columns stay, and rows that do not fit them are left out. */
    DISCARD_ROW,
    /** The columns stay, and values that do not fit them are left out. */
    DISCARD_VALUE
}
