package dev.medley.store.table;

import dev.medley.store.table.StagedTable.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Whether a column names its rows, as a number of a customer or of a line does: nothing can be
 * learnt from it that holds for other rows.
 *
 * @param column that is suspected
 * @param rows of the table
 * @param values that are not missing
 * @param distinct about how many of them differ
 * @param isWhole whether all are whole numbers
 * @param isCounting whether they are each of as many successive whole numbers, once
 */
record Suspicion(
        Column column, long rows, long values, long distinct, boolean isWhole, boolean isCounting) {
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
    static List<Suspicion> of(DuckDb db, StagedTable table, List<Column> columns, long rows) {
        ColumnQuery query = new ColumnQuery(db, table.name());
        List<long[]> found =
                query.counts(columns, Column::kind, Column::sql, Suspicion::aggregates);
        List<Suspicion> all = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            long[] n = found.get(i);
            boolean isWhole = n.length > 2 && n[2] == 0;
            boolean spans = isWhole && n[3] == n[0];
            boolean isMany = n[0] >= FEW_VALUES && n[1] > NEARLY_ALL * n[0] / 1.1;
            all.add(
                    new Suspicion(
                            columns.get(i),
                            rows,
                            n[0],
                            n[1],
                            isWhole,
                            spans && isMany && isEachOnce(query, columns.get(i), n[0])));
        }
        return all;
    }

    private static List<String> aggregates(ColumnKind kind, String value) {
        List<String> all = new ArrayList<>();
        all.add("count(" + value + ")");
        all.add("approx_count_distinct(" + value + ")");
        if (kind == ColumnKind.NUMBER) {
            all.add("count(*) FILTER (%1$s <> floor(%1$s))".formatted(value));
            all.add("coalesce(TRY_CAST(max(%1$s) - min(%1$s) + 1 AS BIGINT), 0)".formatted(value));
        }
        return all;
    }

    private static boolean isEachOnce(ColumnQuery query, Column column, long values) {
        return query.counts(
                                List.of(column),
                                Column::sql,
                                value -> List.of("count(DISTINCT " + value + ")"))
                        .get(0)[0]
                == values;
    }

    /** Whether it is the index of a table, written in front of it without a name. */
    boolean isIndex() {
        boolean isEachOther = values == rows && distinct > NEARLY_ALL * rows / 1.1;
        return column.name().equals(ColumnNames.INDEX)
                && (isWhole || (column.kind() == ColumnKind.TEXT && isEachOther));
    }

    /** Whether a different text stands in most rows. */
    boolean isTextIdentifier() {
        return column.kind() == ColumnKind.TEXT && distinct > FEW_VALUES && distinct > SHARE * rows;
    }

    /** Whether its numbers count the rows, or are called a number of theirs and hardly repeat. */
    boolean isNumberIdentifier() {
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
