package dev.medley.connect.salesforce;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;

/**
 * Says which texts a field of a type takes. One that it does not take would end a call of REST for
 * all of its rows, so it is found before it is sent.
 */
final class FieldTexts {
    private static final int FIRST_YEAR = 1700;
    private static final int LAST_YEAR = 4000;

    private FieldTexts() {}

    static boolean areRead(String type, String text) {
        try {
            return switch (type) {
                case "int", "long", "double", "percent", "currency" -> isNumber(text);
                case "boolean" -> text.equals("true") || text.equals("false");
                case "date" -> isYear(LocalDate.parse(text).getYear());
                case "datetime" -> isYear(OffsetDateTime.parse(text).getYear());
                default -> true;
            };
        } catch (DateTimeException | NumberFormatException e) {
            return false;
        }
    }

    private static boolean isNumber(String text) {
        return new BigDecimal(text).precision() > 0;
    }

    private static boolean isYear(int year) {
        return year >= FIRST_YEAR && year <= LAST_YEAR;
    }
}
