package dev.medley.connect.table;

/**
 * Describes one column of a table.
 *
 * @param id what its source knows it by when its name changes, or its name where the source has
 *     nothing better
 * @param name what it is called now
 * @param size bits of an INTEGER or a REAL, digits of a DECIMAL, characters of a TEXT at most; 0
 *     where the source sets no limit
 * @param scale digits of a DECIMAL behind the point; 0 where its size is 0
 * @param nullable whether a row may lack a value here
 */
public record Column(
        String id, String name, ColumnType type, int size, int scale, boolean nullable) {
    /** One without limits. */
    public Column(String id, String name, ColumnType type, boolean nullable) {
        this(id, name, type, 0, 0, nullable);
    }
}
