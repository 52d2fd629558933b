package dev.medley.data.table.column;

import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.table.csv.DecimalMark;

/**
 * The form in which a column's values are read. It is found once, from all training rows, and saved
 * with the model, so that the reading of a value depends only on that value.
 *
 * @param kind what the values are
 * @param source how texts write a number; of no meaning for other kinds
 * @param dates how texts write a date; empty for other kinds
 */
public record ColumnForm(ColumnKind kind, Source source, String dates) {
    public static final ColumnForm TEXT = new ColumnForm(ColumnKind.TEXT, Source.NUMBER, "");
    static final ColumnForm BOOLEAN = new ColumnForm(ColumnKind.BOOLEAN, Source.BOOLEAN, "");

    /** Numbers, written as {@code source} says. */
    public static ColumnForm number(Source source) {
        return new ColumnForm(ColumnKind.NUMBER, source, "");
    }

    /** Dates, with a time of day or without. */
    static ColumnForm moment(ColumnKind kind, String dates) {
        return new ColumnForm(kind, Source.NUMBER, dates);
    }

    /** The form of values that files have with their types. */
    static ColumnForm typed(ColumnKind kind) {
        return switch (kind) {
            case BOOLEAN -> BOOLEAN;
            case DATE, TIMESTAMP -> moment(kind, DateTexts.ISO);
            case NUMBER -> number(Source.NUMBER);
            default -> new ColumnForm(kind, Source.NUMBER, "");
        };
    }

    /** The form in which training read a column. */
    public static ColumnForm of(ColumnEncoding column) {
        if (column instanceof Numeric numeric) {
            return numeric.source() == Source.BOOLEAN ? BOOLEAN : number(numeric.source());
        } else if (column instanceof Moment moment) {
            return moment(
                    moment.timeOfDay() ? ColumnKind.TIMESTAMP : ColumnKind.DATE, moment.dates());
        }
        return TEXT;
    }

    /** The expression of a text's value: a DOUBLE, NULL where it is none of this form. */
    public String sql(String text, DecimalMark decimal) {
        return switch (kind) {
            case BOOLEAN -> BooleanTexts.sql(text);
            case DATE, TIMESTAMP -> DateTexts.sql(text, dates);
            case NUMBER ->
                    switch (source) {
                        case THOUSANDS -> decimal.grouped(text);
                        case TIME ->
                                ("CASE WHEN %1$s < ':' AND contains(%1$s, ':')"
                                                + " THEN epoch(TRY_CAST(%1$s AS TIME)) END")
                                        .formatted(text);
                        default -> decimal.number(text);
                    };
            default -> text;
        };
    }

    /** The words for a text that is none of this form: "is not a number". */
    public String isNot(DecimalMark decimal) {
        return switch (kind) {
            case BOOLEAN -> "is neither true nor false";
            case DATE, TIMESTAMP -> "is not a date as " + dates;
            default ->
                    switch (source) {
                        case TIME -> "is not a time of day";
                        case THOUSANDS -> "is not a number with commas between thousands";
                        default ->
                                decimal == DecimalMark.POINT
                                        ? "is not a number"
                                        : "is not a number with a decimal comma (points between"
                                                + " thousands are not read; write them without)";
                    };
        };
    }
}
