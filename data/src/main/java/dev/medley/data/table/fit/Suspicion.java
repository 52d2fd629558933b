package dev.medley.data.table.fit;

import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.csv.ColumnNames;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The suspicion that a column names its rows, as a number of a customer or of a line does. Nothing
 * can be learnt from such a column that holds for other rows.
 *
 * @param column that is suspected
 * @param rows of the table
 * @param values that are not missing
 * @param distinct about how many of them differ
 * @param isWhole whether all are whole numbers
 * @param isCounting whether they are each of as many successive whole numbers, once
 * @param least of whole numbers; 0 of other values
 * @param most of whole numbers; 0 of other values
 * @param isProse whether most of its texts have three words or more
 */
public record Suspicion(
        Column column,
        long rows,
        long values,
        long distinct,
        boolean isWhole,
        boolean isCounting,
        long least,
        long most,
        boolean isProse) {
    /** Whole numbers up to it are told apart. */
    private static final long EXACT = 1L << 53;

    private static final int FIRST_DATE = 1900_01_01;
    private static final int LAST_DATE = 2100_12_31;
    private static final long FEW_VALUES = 100;
    private static final double SHARE = 0.5;
    private static final double NEARLY_ALL = 0.95;
    private static final Pattern NAME =
            Pattern.compile(
                    "(id|uuid|guid|index|rowid|row|nr|no|unnamed.*|.*[_"
                        + " .-](id|uuid|guid|index|nr|no))|.*(row|customer|user|order|record|line)[_"
                        + " -]?(id|number|index|no|nr)",
                    Pattern.CASE_INSENSITIVE);
    private static final Pattern CAMEL = Pattern.compile(".*[a-z](Id|ID|UUID|GUID)");

    /** Looks at all rows of a table, for each of {@code columns}. */
    public static List<Suspicion> of(
            DuckDb db, StagedTable table, List<Column> columns, long rows) {
        ColumnQuery query = new ColumnQuery(db, table.name());
        List<long[]> found =
                query.counts(columns, Column::kind, Column::sql, Suspicion::aggregates);
        List<Suspicion> all = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            long[] n = found.get(i);
            ColumnKind kind = columns.get(i).kind();
            boolean isWhole = kind == ColumnKind.NUMBER && n[2] == 0;
            boolean spans = isWhole && n[3] == n[0];
            boolean isMany = n[0] >= FEW_VALUES && n[1] > NEARLY_ALL * n[0] / 1.1;
            all.add(
                    new Suspicion(
                            columns.get(i),
                            rows,
                            n[0],
                            n[1],
                            isWhole,
                            spans && isMany && isEachOnce(query, columns.get(i), n[0]),
                            isWhole ? n[4] : 0,
                            isWhole ? n[5] : 0,
                            kind == ColumnKind.TEXT && n[2] > SHARE * n[0]));
        }
        return all;
    }

    private static List<String> aggregates(ColumnKind kind, String value) {
        List<String> all = new ArrayList<>();
        all.add("count(" + value + ")");
        all.add("approx_count_distinct(" + value + ")");
        if (kind == ColumnKind.TEXT) {
            all.add("count(*) FILTER (regexp_matches(%s, '\\S\\s+\\S+\\s+\\S'))".formatted(value));
        } else if (kind == ColumnKind.NUMBER) {
            all.add("count(*) FILTER (%1$s <> floor(%1$s))".formatted(value));
            all.add("coalesce(TRY_CAST(max(%1$s) - min(%1$s) + 1 AS BIGINT), 0)".formatted(value));
            all.add(bounded("min(" + value + ")"));
            all.add(bounded("max(" + value + ")"));
        }
        return all;
    }

    private static String bounded(String value) {
        return "coalesce(TRY_CAST(%1$s AS BIGINT), CASE WHEN %1$s < 0 THEN %2$d ELSE %3$d END)"
                .formatted(value, -Long.MAX_VALUE, Long.MAX_VALUE);
    }

    private static boolean isEachOnce(ColumnQuery query, Column column, long values) {
        return query.counts(
                                List.of(column),
                                Column::sql,
                                value -> List.of("count(DISTINCT " + value + ")"))
                        .get(0)[0]
                == values;
    }

    /** Whether some of its whole numbers are not told apart from their neighbours. */
    private boolean isBeyondExact(Set<String> codes) {
        boolean isBeyond = least <= -EXACT || most >= EXACT;
        boolean isBounded = least > -Long.MAX_VALUE && most < Long.MAX_VALUE;
        // Of two that differ as texts alone the floating-point numbers are one.
        boolean doDiffer = (isBounded && least < most) || codes.contains(column.name());
        return isWhole && isBeyond && doDiffer;
    }

    /** Whether its numbers lie where years, months and days written together do. */
    boolean mayBeDates() {
        return isWhole && least < most && least >= FIRST_DATE && most <= LAST_DATE;
    }

    /**
     * Sentences about numbers that mean something else than how many: dates, and long codes.
     *
     * @param codes columns that may be codes for how they are written, however large they are
     */
    public static List<String> misleading(
            DuckDb db, StagedTable table, List<Suspicion> some, Set<String> codes) {
        List<String> sentences = new ArrayList<>();
        for (Suspicion dates : ofDates(db, table, some)) {
            sentences.add(
                    ("column '%s': its numbers look like dates, as %d, and are read as numbers;"
                         + " write them as 2021-01-31 to have them read as dates, or name it in"
                         + " data.table.numeric")
                            .formatted(dates.column().name(), dates.least()));
        }
        some.stream()
                .filter(s -> s.isBeyondExact(codes))
                .forEach(
                        s ->
                                sentences.add(
                                        ("column '%s': its whole numbers go beyond"
                                             + " 9,007,199,254,740,992 (2^53), where neighbours are"
                                             + " not told apart; if they name something, name it in"
                                             + " data.table.categorical or drop, else in"
                                             + " data.table.numeric")
                                                .formatted(s.column().name())));
        return sentences;
    }

    /** Those all of whose numbers are dates, as 20210131. */
    private static List<Suspicion> ofDates(DuckDb db, StagedTable table, List<Suspicion> some) {
        List<Suspicion> candidates = some.stream().filter(Suspicion::mayBeDates).toList();
        String isDay = "%1$s %% 100 BETWEEN 1 AND 31 AND floor(%1$s / 100) %% 100 BETWEEN 1 AND 12";
        List<long[]> days =
                new ColumnQuery(db, table.name())
                        .counts(
                                candidates,
                                s -> s.column().sql(),
                                v -> List.of("count(*) FILTER (" + isDay.formatted(v) + ")"));
        List<Suspicion> dates = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            if (days.get(i)[0] == candidates.get(i).values()) {
                dates.add(candidates.get(i));
            }
        }
        return dates;
    }

    /** Whether it is the index of a table, written in front of it without a name. */
    public boolean isIndex() {
        boolean isEachOther = values == rows && distinct > NEARLY_ALL * rows / 1.1;
        return column.name().equals(ColumnNames.INDEX)
                && (isWhole || (column.kind() == ColumnKind.TEXT && isEachOther));
    }

    /** Whether a different text stands in most rows. */
    public boolean isTextIdentifier() {
        return column.kind() == ColumnKind.TEXT && distinct > FEW_VALUES && distinct > SHARE * rows;
    }

    /** Why such a column is left out, and how it is kept. */
    String whyTextIdentifier() {
        return String.format(
                Locale.ROOT,
                isProse
                        ? "it looks like free text, with about %,d texts of several words in %,d"
                                + " rows (name it in data.table.text to learn from its words)"
                        : "it looks like an identifier, with about %,d texts in %,d rows (name it"
                                + " in data.table.categorical to keep it)",
                distinct,
                rows);
    }

    /** Whether its numbers count the rows, or are called a number of theirs and hardly repeat. */
    public boolean isNumberIdentifier() {
        return isCounting
                || (isWhole
                        && values >= FEW_VALUES
                        && distinct > NEARLY_ALL * values / 1.1
                        && isNamed());
    }

    private boolean isNamed() {
        return NAME.matcher(column.name()).matches() || CAMEL.matcher(column.name()).matches();
    }

    /** Why, in words. */
    String whyIdentifier() {
        return isCounting
                ? "its numbers count the rows, each once"
                : String.format(
                        Locale.ROOT,
                        "it looks like an identifier, with about %,d whole numbers in %,d rows",
                        distinct,
                        rows);
    }
}
