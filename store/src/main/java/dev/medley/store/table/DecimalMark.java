package dev.medley.store.table;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.TableSpec;

/** What stands before the decimals of the numbers in a file. Thousands are never separated. */
enum DecimalMark {
    POINT,
    COMMA;

    /** That of a table. Only CSV has a choice: the numbers of other formats are no texts. */
    static DecimalMark of(DataFormat format, TableSpec spec) {
        return format == DataFormat.CSV && spec.decimal().equals(",") ? COMMA : POINT;
    }

    /** The mark itself. */
    String character() {
        return this == COMMA ? "," : ".";
    }

    /** The expression of a text's number: a DOUBLE, NULL where the text is none. */
    String number(String text) {
        return this == POINT
                ? "TRY_CAST(" + text + " AS DOUBLE)"
                : "TRY_CAST(CASE WHEN contains(%1$s, '.') THEN NULL ELSE replace(%1$s, ',', '.') END"
                                .formatted(text)
                        + " AS DOUBLE)";
    }

    /**
     * The condition that a text is a number whose thousands are separated by points. With a decimal
     * point there is none: {@code 1,5} may be meant as one and a half.
     */
    String isGrouped(String text) {
        return this == POINT
                ? "false"
                : "coalesce(regexp_full_match(%s, '[-+]?[0-9]{1,3}([.][0-9]{3})+(,[0-9]*)?'), false)"
                        .formatted(text);
    }

    /** The condition that a text is a number written with the other mark. */
    String isOther(String text) {
        return "regexp_full_match(%s, '%s')"
                .formatted(
                        text,
                        this == POINT
                                ? "[-+]?[0-9]{1,3}([.]?[0-9]{3})*,[0-9]+"
                                : "[-+]?[0-9]+[.][0-9]+");
    }

    /** Whether a text is a number. */
    boolean isNumber(String text) {
        if (this == COMMA && text.contains(".")) {
            return false;
        }
        try {
            Double.parseDouble(text.replace(character(), "."));
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
