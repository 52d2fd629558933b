package dev.medley.connect.salesforce.call;

import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.ColumnVector;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Set;

/**
 * Describes one field of an object.
 *
 * @param type Salesforce's word
 * @param isCalculated whether it is a formula or a summary, whose change moves no stamp
 * @param isExternalId whether records can be named by it
 * @param isUnique whether the org refuses a second record with a value
 * @param isWritable whether the user may set it in new records and old ones
 */
public record ObjectField(
        String name,
        String label,
        String type,
        int length,
        int precision,
        int scale,
        boolean isNullable,
        boolean isCalculated,
        boolean isExternalId,
        boolean isUnique,
        boolean isWritable) {
    private static final Set<String> COMPOUND = Set.of("address", "location", "complexvalue");

    /** Whether it can be a column. */
    public boolean isReadable() {
        return !isCalculated && !COMPOUND.contains(type) && !type.equals("base64");
    }

    /** Why it cannot, in a word. */
    public String whyNot() {
        return isCalculated ? "formula" : type.equals("base64") ? "file" : "compound";
    }

    /** Whether its values are numbers. */
    public boolean isNumber() {
        return switch (type) {
            case "int", "long", "double", "percent", "currency" -> true;
            default -> false;
        };
    }

    /** The column that has its values. */
    public Column column() {
        return switch (type) {
            case "boolean" -> new Column(name, name, ColumnType.BOOLEAN, isNullable);
            case "int" -> new Column(name, name, ColumnType.INTEGER, 32, 0, isNullable);
            case "long" -> new Column(name, name, ColumnType.INTEGER, 64, 0, isNullable);
            case "double", "percent" -> new Column(name, name, ColumnType.REAL, 64, 0, isNullable);
            case "currency" ->
                    new Column(name, name, ColumnType.DECIMAL, precision, scale, isNullable);
            case "date" -> new Column(name, name, ColumnType.DATE, isNullable);
            case "datetime" -> new Column(name, name, ColumnType.INSTANT, isNullable);
            default -> new Column(name, name, ColumnType.TEXT, length, 0, isNullable);
        };
    }

    /** Sets the value that {@code text} says, in CSV or from JSON; nothing where it is empty. */
    public static void set(ColumnVector vector, int row, String text, String field)
            throws IOException {
        if (text.isEmpty()) {
            return;
        }
        try {
            switch (vector.type()) {
                case BOOLEAN -> vector.setLong(row, truth(text));
                case INTEGER -> vector.setLong(row, new BigDecimal(text).longValueExact());
                case REAL -> vector.setDouble(row, Double.parseDouble(text));
                case DECIMAL ->
                        vector.setText(
                                row, new BigDecimal(text).stripTrailingZeros().toPlainString());
                case DATE -> vector.setLong(row, LocalDate.parse(text).toEpochDay());
                case INSTANT -> vector.setLong(row, micros(instant(text)));
                case TEXT -> vector.setText(row, text);
                case DATETIME, BYTES ->
                        throw new IllegalStateException("no field is a " + vector.type());
            }
        } catch (ArithmeticException | NumberFormatException | DateTimeException e) {
            throw new IOException(
                    "field %s has '%s', which is no %s".formatted(field, text, vector.type()), e);
        }
    }

    private static long truth(String text) {
        return switch (text) {
            case "true" -> 1;
            case "false" -> 0;
            default -> throw new NumberFormatException(text);
        };
    }

    private static long micros(Instant moment) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
    }

    /** {@code 2026-11-01T08:00:00.000Z} of Bulk and {@code …+0000} of REST. */
    public static Instant instant(String text) {
        String colon = text.replaceFirst("([+-]\\d\\d)(\\d\\d)$", "$1:$2");
        return OffsetDateTime.parse(colon).toInstant();
    }
}
