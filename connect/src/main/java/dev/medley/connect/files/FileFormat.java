package dev.medley.connect.files;

/** Names the formats of files that are read as tables. */
public enum FileFormat {
    /** Columns and their types are what the files say. */
    PARQUET,
    /** With a line of names; values are texts unless a type is named. */
    CSV,
    /** One object a line, or one list of objects; what is nested is kept as its JSON. */
    JSON
}
