package dev.medley.data.table.csv;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.encoding.CsvReading;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The mark before the decimals of the numbers in a file. */
public enum DecimalMark {
    POINT,
    COMMA;

    private static final String NUMBER = "[-+]?[0-9][0-9.,]*";
    private static final String CURRENCY = "[$\u20ac\u00a3\u00a5]";
    private static final String MINUS = "[-+\u2212\u2013]";
    private static final String UNIT =
            "(%|"
                    + CURRENCY
                    + "|USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|SEK|NOK|DKK|PLN|INR|BRL|k|K|m|M|bn"
                    + "|kg|g|mg|lb|lbs|oz|km|cm|mm|mi|ft|in|h|hr|hrs|min|s|sec|ms"
                    + "|days?|years?|yrs?|kWh|kW|KB|MB|GB|TB)";

    private static final Pattern PLAIN =
            Pattern.compile("[-+]?(NaN|Infinity|(\\d+[.]?\\d*|[.]\\d+)([eE][-+]?\\d+)?)");
    private static final String DRESSED =
            String.join(
                    "|",
                    MINUS + "?[0-9]{1,3}([ \'\'\u2019\u00a0\u202f][0-9]{3})+([.,][0-9]*)?",
                    MINUS + "?[0-9]{1,3}([.][0-9]{3}){2,}(,[0-9]*)?",
                    MINUS + "?[0-9]{1,3}(,[0-9]{2})+,[0-9]{3}([.][0-9]*)?",
                    "[(]?" + MINUS + "?" + CURRENCY + " ?" + MINUS + "?" + NUMBER + "[)]?",
                    "[\u2212\u2013]?" + NUMBER + " ?" + UNIT,
                    "[\u2212\u2013]" + NUMBER,
                    "[(]" + NUMBER + "[)]",
                    NUMBER + "[dD][-+]?[0-9]+");

    /** That of a table. Only CSV has a choice: the numbers of other formats are no texts. */
    public static DecimalMark of(DataFormat format, TableSpec spec) {
        return format == DataFormat.CSV && spec.decimal().equals(",") ? COMMA : POINT;
    }

    /** That of files that are read as others were, unless the job asks for the comma. */
    public static DecimalMark of(DataFormat format, TableSpec spec, @Nullable CsvReading known) {
        return format == DataFormat.CSV && of(known) == COMMA ? COMMA : of(format, spec);
    }

    /** That of files that were read so; null for those whose numbers are no texts. */
    public static DecimalMark of(@Nullable CsvReading known) {
        return known != null && known.decimal().equals(",") ? COMMA : POINT;
    }

    /** The mark itself. */
    String character() {
        return this == COMMA ? "," : ".";
    }

    /**
     * The expression of a text's number: a DOUBLE, NULL where the text is none. The engine would
     * take 1_23 for 123, as programmers write numbers; in data it is a code, and not that of 12_3.
     */
    public String number(String text) {
        return this == POINT
                ? "CASE WHEN NOT contains(%1$s, '_') THEN TRY_CAST(%1$s AS DOUBLE) END"
                        .formatted(text)
                : ("CASE WHEN NOT contains(%1$s, '.') AND NOT contains(%1$s, '_')"
                                + " THEN TRY_CAST(replace(%1$s, ',', '.') AS DOUBLE) END")
                        .formatted(text);
    }

    /**
     * The condition that a text is a number whose thousands are separated by the other mark: three
     * digits follow each. {@code 0,125} is none, since nobody writes a thousand so.
     */
    public String isGrouped(String text) {
        return matches(
                text,
                this == POINT
                        ? "[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+([.][0-9]*)?"
                        : "[-+]?[0-9]{1,3}([.][0-9]{3})+(,[0-9]*)?");
    }

    /** The expression of a number whose thousands may be separated; NULL where it is none. */
    public String grouped(String text) {
        return this == COMMA
                ? number(text)
                : ("CASE WHEN NOT contains(%1$s, ',') THEN %2$s"
                                + " WHEN %3$s THEN TRY_CAST(replace(%1$s, ',', '') AS DOUBLE) END")
                        .formatted(text, number(text), isGrouped(text));
    }

    /** Numbers begin before the colon, which spares the pattern for nearly all texts. */
    private static String matches(String text, String pattern) {
        return "coalesce(%1$s < ':' AND regexp_full_match(%1$s, '%2$s'), false)"
                .formatted(text, pattern);
    }

    /**
     * The condition that a text may begin a number with signs about it: with pound or yen, a dash,
     * euro, or a minus of typography.
     */
    public static String mayBegin(String text) {
        return ("(%1$s < ':' OR (%1$s > '~' AND (%1$s BETWEEN '\u00a3' AND '\u00a6' OR %1$s BETWEEN"
                        + " '\u2013' AND '\u2014' OR %1$s BETWEEN '\u20ac' AND '\u20ad'"
                        + " OR %1$s BETWEEN '\u2212' AND '\u2213')))")
                .formatted(text);
    }

    /** The condition that a text is a number written with the other mark. */
    public String isOther(String text) {
        return matches(
                text,
                this == POINT
                        ? "[-+]?([0-9]+|[0-9]{1,3}([.][0-9]{3})+),[0-9]+"
                        : "[-+]?[0-9]+[.][0-9]+");
    }

    /**
     * The condition that a text is a number with a currency, a unit, a percent sign, a minus of
     * typography, brackets for a minus, an exponent of Fortran, spaces or apostrophes between
     * thousands, points between millions, or commas between lakhs.
     */
    public static String isDressed(String text) {
        return "coalesce(%s AND regexp_full_match(%s, '%s'), false)"
                .formatted(mayBegin(text), text, DRESSED);
    }

    /** Whether a text is a number. */
    public boolean isNumber(String text) {
        if (this == COMMA && text.contains(".")) {
            return false;
        }
        return PLAIN.matcher(text.replace(character(), ".")).matches();
    }
}
