package dev.medley.store.table;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The different texts of a column as a DuckDB ENUM, so that DuckDB turns texts to codes.
 *
 * @param type name of the ENUM
 * @param values in code order
 */
record Dictionary(String type, List<String> values) {
    /** The code of a missing value. */
    static final int MISSING = -1;

    /** The code of a value that is not among the values. */
    static final int UNKNOWN = -2;

    Dictionary {
        values = List.copyOf(values);
    }

    /** All texts of an expression over a table, in the order of another one. */
    static Dictionary of(DuckDb db, String type, String table, String sql, String order) {
        try {
            db.execute(
                    ("CREATE TYPE %s AS ENUM (SELECT v FROM (SELECT DISTINCT %s AS v FROM %s)"
                                    + " WHERE v IS NOT NULL ORDER BY %s)")
                            .formatted(type, sql, table, order));
            return new Dictionary(
                    type,
                    db.rows("SELECT unnest(enum_range(NULL::%s))::VARCHAR".formatted(type)).stream()
                            .map(row -> row.get(0))
                            .toList());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Given texts. */
    static Dictionary of(DuckDb db, String type, List<String> values) {
        try {
            db.execute(
                    "CREATE TYPE %s AS ENUM (%s)"
                            .formatted(
                                    type,
                                    values.stream()
                                            .map(DuckDb::text)
                                            .collect(Collectors.joining(", "))));
            return new Dictionary(type, values);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The code of a text as an INTEGER that is never NULL. */
    String code(String sql) {
        return ("CASE WHEN %1$s IS NULL THEN %2$d"
                        + " ELSE coalesce(CAST(enum_code(TRY_CAST(%1$s AS %3$s)) AS INTEGER), %4$d)"
                        + " END")
                .formatted(sql, MISSING, type, UNKNOWN);
    }
}
