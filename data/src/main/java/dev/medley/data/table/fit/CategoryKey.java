package dev.medley.data.table.fit;

import dev.medley.data.table.csv.DecimalMark;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * Computes a key that texts of the same category share. Two texts are the same category if they are
 * the same number, as 1, 1.0 and 1e0 are, or both true or both false in any case. Exact for numbers
 * of up to 1,000 characters; longer ones are texts.
 */
public final class CategoryKey {
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?(\\d+[.]?\\d*|[.]\\d+)([eE][-+]?\\d{1,3})?");

    /** Longer ones are texts: the time to compare them grows with the square of their digits. */
    private static final int LONGEST_NUMBER = 1000;

    private static final Pattern CODE = Pattern.compile("[-+]?0\\d.*");

    private CategoryKey() {}

    /** The text that stands for all that are the same as {@code text}. */
    public static String of(String text, DecimalMark decimal) {
        String number = decimal == DecimalMark.COMMA ? withPoint(text) : text;
        if (isNumber(number)) {
            BigDecimal value = new BigDecimal(number);
            return value.signum() == 0 ? "0" : value.stripTrailingZeros().toString();
        }
        boolean isFlag = text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
        return isFlag ? text.toLowerCase(java.util.Locale.ROOT) : text;
    }

    /** The same for a class, where a text with zeros in front is a code: 01 is not 1. */
    static String ofClass(String text, DecimalMark decimal) {
        return isCode(text) ? text : of(text, decimal);
    }

    /** Whether a text is a number with zeros in front, which nobody writes who means a number. */
    static boolean isCode(String text) {
        return CODE.matcher(text).matches() && NUMBER.matcher(text).matches();
    }

    /** Whether a key is a number. */
    public static boolean isNumber(String key) {
        return key.length() <= LONGEST_NUMBER && NUMBER.matcher(key).matches();
    }

    /** Whether a text is a whole number, and no code. */
    static boolean isWhole(String text, DecimalMark decimal) {
        String key = of(text, decimal);
        return !isCode(text) && isNumber(key) && new BigDecimal(key).scale() <= 0;
    }

    private static String withPoint(String text) {
        return text.indexOf('.') >= 0 ? "" : text.replace(',', '.');
    }
}
