package dev.medley.iceberg;

import dev.medley.base.ConfigException;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.data.table.engine.DuckDb;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Holds a column of a table with what DuckDB reads it as. The column's id is that of the field, by
 * which a renamed one is known.
 *
 * @param field in the table
 * @param column that rows get
 * @param sqlType in DuckDB
 */
record IcebergColumn(NestedField field, Column column, String sqlType) {
    private static final int BITS = 32;
    private static final int LONG_BITS = 64;

    static IcebergColumn of(NestedField field, String table) {
        Type type = field.type();
        boolean isNullable = field.isOptional();
        String id = String.valueOf(field.fieldId());
        String name = field.name();
        return switch (type.typeId()) {
            case BOOLEAN -> plain(field, ColumnType.BOOLEAN, "BOOLEAN");
            case INTEGER ->
                    new IcebergColumn(
                            field,
                            new Column(id, name, ColumnType.INTEGER, BITS, 0, isNullable),
                            "INTEGER");
            case LONG ->
                    new IcebergColumn(
                            field,
                            new Column(id, name, ColumnType.INTEGER, LONG_BITS, 0, isNullable),
                            "BIGINT");
            case FLOAT ->
                    new IcebergColumn(
                            field,
                            new Column(id, name, ColumnType.REAL, BITS, 0, isNullable),
                            "FLOAT");
            case DOUBLE ->
                    new IcebergColumn(
                            field,
                            new Column(id, name, ColumnType.REAL, LONG_BITS, 0, isNullable),
                            "DOUBLE");
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                yield new IcebergColumn(
                        field,
                        new Column(
                                id,
                                name,
                                ColumnType.DECIMAL,
                                decimal.precision(),
                                decimal.scale(),
                                isNullable),
                        "DECIMAL(%d, %d)".formatted(decimal.precision(), decimal.scale()));
            }
            case DATE -> plain(field, ColumnType.DATE, "DATE");
            case TIME -> plain(field, ColumnType.TEXT, "TIME");
            case TIMESTAMP ->
                    ((Types.TimestampType) type).shouldAdjustToUTC()
                            ? plain(field, ColumnType.INSTANT, "TIMESTAMPTZ")
                            : plain(field, ColumnType.DATETIME, "TIMESTAMP");
            case STRING -> plain(field, ColumnType.TEXT, "VARCHAR");
            case UUID -> plain(field, ColumnType.TEXT, "UUID");
            case FIXED, BINARY -> plain(field, ColumnType.BYTES, "BLOB");
            default ->
                    throw new ConfigException(
                            "%s: column '%s' is of type %s, which a row has no place for: name the others"
                                            .formatted(table, name, type)
                                    + " by columns: […]");
        };
    }

    private static IcebergColumn plain(NestedField field, ColumnType type, String sqlType) {
        return new IcebergColumn(
                field,
                new Column(String.valueOf(field.fieldId()), field.name(), type, field.isOptional()),
                sqlType);
    }

    /** What {@code read_parquet} is told of it, under the name {@link #sqlName}. */
    String schemaEntry() {
        return "%d: {name: '%s', type: '%s', default_value: NULL}"
                .formatted(field.fieldId(), sqlName(), sqlType);
    }

    /** Its name in SQL: no name of a table needs to be quoted. */
    String sqlName() {
        return "f" + field.fieldId();
    }

    /** The expression of its value as {@link ColumnType} has it. */
    String value() {
        return switch (column.type()) {
            case DECIMAL, TEXT ->
                    sqlType.equals("VARCHAR") ? sqlName() : "CAST(" + sqlName() + " AS VARCHAR)";
            case REAL -> "CAST(" + sqlName() + " AS DOUBLE)";
            case INTEGER -> "CAST(" + sqlName() + " AS BIGINT)";
            default -> sqlName();
        };
    }

    /** The expression of a value that the table's files do not have but its partitions. */
    String literal(String text) {
        return "CAST(" + DuckDb.text(text) + " AS " + sqlType + ")";
    }
}
