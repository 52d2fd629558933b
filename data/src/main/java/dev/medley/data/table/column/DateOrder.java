package dev.medley.data.table.column;

import dev.medley.base.job.DataSpec.Dates;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The order of day, month and year in the dates of a column. It is what the column's values show,
 * what the job says, what other columns show, or the usual order of the separator.
 *
 * @param pattern of the dates, as {@code %d/%m/%Y}
 * @param isOpen whether the values may be meant another way
 * @param why in words
 */
record DateOrder(String pattern, boolean isOpen, String why) {
    /** Numbers above it are no months. */
    static final int MONTHS = 12;

    /** Where the year stands, and with how many digits. */
    enum Year {
        FIRST("[0-9]{4}S[0-9]{1,2}S[0-9]{1,2}"),
        LAST("[0-9]{1,2}S[0-9]{1,2}S[0-9]{4}"),
        SHORT("[0-9]{1,2}S[0-9]{1,2}S[0-9]{2}");

        private final String digits;

        Year(String digits) {
            this.digits = digits;
        }

        /** The expression of such a date with {@code separator}, itself an expression. */
        String digits(String separator) {
            return digits.replace("S", separator);
        }
    }

    /**
     * What the values of a column show.
     *
     * @param separator between the parts
     * @param year of most values
     * @param firstAbove values whose first part is no month
     * @param secondAbove values whose second part is no month
     * @param noShortYearFirst values that are no date with a year of two digits in front
     */
    record Seen(
            String separator, Year year, long firstAbove, long secondAbove, long noShortYearFirst) {
        /** Whether day and month may change places in every value. */
        boolean isOpen() {
            return year != Year.FIRST && firstAbove == 0 && secondAbove == 0;
        }
    }

    /**
     * The order of a column.
     *
     * @param asked of the job
     * @param elsewhere what other columns show, FOUND if they show nothing or disagree
     */
    static DateOrder of(Seen seen, Dates asked, Dates elsewhere) {
        if (seen.year() == Year.FIRST) {
            return new DateOrder(pattern(seen, Dates.YEAR_FIRST), false, "the year is first");
        }
        boolean isShort = seen.year() == Year.SHORT;
        Dates proven = proven(seen);
        if (proven != Dates.FOUND && isOther(asked, proven)) {
            return new DateOrder(pattern(seen, proven), false, "values above 12 are days");
        }
        if (asked != Dates.FOUND && (isShort || asked != Dates.YEAR_FIRST)) {
            return new DateOrder(pattern(seen, asked), false, "data.table.dates says so");
        }
        boolean yearFits = isShort && seen.noShortYearFirst() == 0 && seen.separator().equals("-");
        if (seen.firstAbove() > 0 && seen.secondAbove() > 0) {
            boolean day = seen.firstAbove() >= seen.secondAbove();
            return yearFits
                    ? new DateOrder(pattern(seen, Dates.YEAR_FIRST), false, "no other order fits")
                    : new DateOrder(
                            pattern(seen, day ? Dates.DAY_FIRST : Dates.MONTH_FIRST),
                            false,
                            "most values are so");
        }
        if (!seen.isOpen()) {
            Dates order = seen.firstAbove() > 0 ? Dates.DAY_FIRST : Dates.MONTH_FIRST;
            return new DateOrder(pattern(seen, order), yearFits, "values above 12 are days");
        }
        if (elsewhere != Dates.FOUND) {
            return new DateOrder(pattern(seen, elsewhere), true, "as in other columns");
        }
        Dates usual = seen.separator().equals("/") ? Dates.MONTH_FIRST : Dates.DAY_FIRST;
        return new DateOrder(
                pattern(seen, usual), true, "usual with '" + seen.separator() + "' between");
    }

    /** The order that the values prove; FOUND where they prove none. */
    static Dates proven(Seen seen) {
        if (seen.year() == Year.FIRST || (seen.firstAbove() > 0) == (seen.secondAbove() > 0)) {
            return Dates.FOUND;
        }
        return seen.firstAbove() > 0 ? Dates.DAY_FIRST : Dates.MONTH_FIRST;
    }

    /** Whether the job asks for day and month the other way. */
    boolean isAgainst(Dates asked) {
        return !pattern.toLowerCase(Locale.ROOT).startsWith("%y") && isOther(asked, order());
    }

    private static boolean isOther(Dates asked, Dates order) {
        return (asked == Dates.DAY_FIRST || asked == Dates.MONTH_FIRST) && asked != order;
    }

    private static String pattern(Seen seen, Dates order) {
        String year = seen.year() == Year.SHORT ? "%y" : "%Y";
        List<String> parts =
                new ArrayList<>(
                        switch (order) {
                            case DAY_FIRST -> List.of("%d", "%m", year);
                            case MONTH_FIRST -> List.of("%m", "%d", year);
                            default -> List.of(year, "%m", "%d");
                        });
        return String.join(seen.separator(), parts);
    }

    private Dates order() {
        return pattern.startsWith("%d")
                ? Dates.DAY_FIRST
                : pattern.startsWith("%m") ? Dates.MONTH_FIRST : Dates.YEAR_FIRST;
    }

    /** The order in the words of the job file. */
    String words() {
        return words(order());
    }

    /** An order in the words of the job file. */
    static String words(Dates order) {
        return order.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
