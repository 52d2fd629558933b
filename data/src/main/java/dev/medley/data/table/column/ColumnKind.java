package dev.medley.data.table.column;

/** The kind of values that a column of the files holds. Staged as DOUBLE, except for texts. */
public enum ColumnKind {
    NUMBER,
    /** Staged as 0 and 1. */
    BOOLEAN,
    /** Staged as seconds since 1970. */
    DATE,
    /** Staged as seconds since 1970, UTC. */
    TIMESTAMP,
    TEXT,
    /** Lists, structures, bytes: nothing that a model reads. */
    OTHER;

    /** What DuckDB's type is for us. */
    static ColumnKind of(String type) {
        if (type.endsWith("]")
                || type.startsWith("STRUCT")
                || type.startsWith("MAP")
                || type.startsWith("UNION")) {
            return OTHER;
        }
        int bracket = type.indexOf('(');
        return switch (bracket < 0 ? type : type.substring(0, bracket)) {
            case "TINYINT",
                    "SMALLINT",
                    "INTEGER",
                    "BIGINT",
                    "HUGEINT",
                    "UTINYINT",
                    "USMALLINT",
                    "UINTEGER",
                    "UBIGINT",
                    "UHUGEINT",
                    "FLOAT",
                    "DOUBLE",
                    "DECIMAL",
                    "TIME" ->
                    NUMBER;
            case "BOOLEAN" -> BOOLEAN;
            case "DATE" -> DATE;
            case "TIMESTAMP",
                    "TIMESTAMP_S",
                    "TIMESTAMP_MS",
                    "TIMESTAMP_NS",
                    "TIMESTAMP WITH TIME ZONE" ->
                    TIMESTAMP;
            case "VARCHAR", "ENUM", "UUID" -> TEXT;
            default -> OTHER;
        };
    }

    /** The kind of a column that has one kind in one file and another in the next. */
    ColumnKind or(ColumnKind other) {
        if (this == other) {
            return this;
        }
        boolean isTime =
                (this == DATE || this == TIMESTAMP) && (other == DATE || other == TIMESTAMP);
        return isTime ? TIMESTAMP : this == OTHER || other == OTHER ? OTHER : TEXT;
    }
}
