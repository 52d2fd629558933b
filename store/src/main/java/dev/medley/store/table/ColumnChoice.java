package dev.medley.store.table;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.store.table.RowSource.Coded;
import dev.medley.store.table.StagedTable.Column;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Which columns of a staged table are learned from, and how its rows are split. */
final class ColumnChoice {
    private static final long IDENTIFIER_VALUES = 100;
    private static final double IDENTIFIER_SHARE = 0.5;
    private static final double COMMA_SHARE = 0.8;
    private static final int FIRST_ROWS = 10_000;

    private final DuckDb db;
    private final DataSpec spec;
    private final DataFormat format;
    private final StagedTable rows;
    private final TableStory story;
    private final LabelChoice label;
    private final RowSplit split;

    /** For a table whose label has a value in every row. */
    ColumnChoice(
            DuckDb db,
            DataSpec spec,
            DataFormat format,
            String label,
            StagedTable rows,
            TableStory story) {
        this.db = db;
        this.spec = spec;
        this.format = format;
        this.rows = rows;
        this.story = story;
        this.label = LabelChoice.of(db, rows, label, spec.table().categorical().contains(label));
        this.split = new RowSplit(db, spec, rows, this.label);
    }

    /** What a scan of the table delivers. */
    RowSource source() {
        List<Column> dense = new ArrayList<>();
        List<Coded> coded = new ArrayList<>();
        long count = count();
        for (Column column : rows.columns()) {
            if (column.name().equals(label.column().name())
                    || spec.table().drop().contains(column.name())) {
                continue;
            }
            if (column.kind() != ColumnKind.TEXT) {
                dense.add(column);
            } else if (isCategory(column, count)) {
                coded.add(
                        new Coded(
                                column,
                                Dictionary.of(
                                        db,
                                        "category_" + coded.size(),
                                        rows.name(),
                                        column.sql(),
                                        "v")));
            }
        }
        return new RowSource(dense, coded, label, split.stratum());
    }

    /** How the rows are split. */
    RowSplit split() {
        return split;
    }

    private boolean isCategory(Column column, long count) {
        sayOtherDecimals(column);
        if (isClearlyCategory(column)) {
            return true;
        }
        long distinct =
                number(
                        "SELECT approx_count_distinct(%s) FROM %s"
                                .formatted(column.sql(), rows.name()));
        if (distinct == 0) {
            story.dropped(column.name(), "it has no values");
            return false;
        }
        boolean isIdentifier =
                distinct > IDENTIFIER_VALUES
                        && distinct > IDENTIFIER_SHARE * count
                        && !spec.table().categorical().contains(column.name());
        if (isIdentifier) {
            story.dropped(
                    column.name(),
                    "it looks like an identifier, with about %,d texts in %,d rows"
                                    .formatted(distinct, count)
                            + " (name it in data.table.categorical to keep it)");
        }
        return !isIdentifier;
    }

    /** Numbers written the German way are texts to us, which nobody wants who has not said so. */
    private void sayOtherDecimals(Column column) {
        if (spec.table().categorical().contains(column.name())) {
            return;
        }
        DecimalMark decimal = DecimalMark.of(format, spec.table());
        String like = decimal.isOther("v");
        List<String> row =
                query(
                                "SELECT count(v), count(v) FILTER (%s), any_value(v) FILTER (%s)"
                                                .formatted(like, like)
                                        + " FROM (SELECT %s AS v FROM %s LIMIT %d)"
                                                .formatted(column.sql(), rows.name(), FIRST_ROWS))
                        .get(0);
        long values = Long.parseLong(row.get(0));
        if (values > 0 && Long.parseLong(row.get(1)) > values * COMMA_SHARE) {
            story.say(
                    "column '%s' is taken for text: its numbers have a decimal %s, as %s; %s",
                    column.name(),
                    decimal == DecimalMark.POINT ? "comma" : "point",
                    row.get(2),
                    remedy(decimal));
        }
    }

    private String remedy(DecimalMark decimal) {
        if (decimal == DecimalMark.COMMA) {
            return "write them with a comma, as data.table.decimal says";
        }
        return format == DataFormat.CSV
                ? "set data.table.decimal: \",\""
                : "write them with a point";
    }

    /** Whether values repeat in the first rows, so that the others need not be counted. */
    private boolean isClearlyCategory(Column column) {
        long distinct =
                number(
                        "SELECT count(DISTINCT %s) FROM (SELECT * FROM %s LIMIT %d)"
                                .formatted(column.sql(), rows.name(), FIRST_ROWS));
        return distinct > 0 && distinct < FIRST_ROWS * IDENTIFIER_SHARE / 2 && count() > FIRST_ROWS;
    }

    private long count() {
        return number("SELECT count(*) FROM " + rows.name());
    }

    private long number(String sql) {
        return Long.parseLong(query(sql).get(0).get(0));
    }

    private List<List<String>> query(String sql) {
        try {
            return db.rows(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
