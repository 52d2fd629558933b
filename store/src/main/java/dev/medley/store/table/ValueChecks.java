package dev.medley.store.table;

import dev.medley.store.table.StagedTable.Column;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at staged values: texts that are numbers after all, a few texts among numbers, numbers that
 * are not finite.
 */
final class ValueChecks {
    private static final double FEW = 0.2;
    private static final double HALF = 0.5;
    private static final long FEWEST_VALUES = 3;
    private static final int FIRST_ROWS = 10_000;

    private final DuckDb db;
    private final BadRowPolicy policy;
    private final DecimalMark decimal;

    ValueChecks(DuckDb db, BadRowPolicy policy, DecimalMark decimal) {
        this.db = db;
        this.policy = policy;
        this.decimal = decimal;
    }

    /**
     * The table with its columns as they are to be read.
     *
     * @param texts columns that stay texts
     */
    StagedTable checked(StagedTable table, List<String> texts) {
        List<Column> open =
                table.columns().stream()
                        .filter(c -> c.kind() == ColumnKind.TEXT && !texts.contains(c.name()))
                        .toList();
        List<Column> numbers = numbers(table, open);
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(numbers.contains(column) ? column.asNumber(decimal) : column);
        }
        StagedTable read = table.with(columns);
        checkFinite(read);
        return read;
    }

    /**
     * Those of {@code texts} whose values are numbers, but for a few that are errors. The first
     * rows tell most texts at once, which spares a parse of all their values.
     */
    private List<Column> numbers(StagedTable table, List<Column> texts) {
        List<Column> likely = new ArrayList<>();
        String first = "(SELECT * FROM %s LIMIT %d)".formatted(table.name(), FIRST_ROWS);
        for (Counts counts : counts(first, texts)) {
            if (counts.meantAsNumbers() >= counts.values() * HALF) {
                likely.add(counts.column());
            }
        }
        List<Column> numbers = new ArrayList<>();
        for (Counts counts : counts(table.name(), likely)) {
            if (counts.isNumber()) {
                rejectTexts(table, counts.column(), counts.values() - counts.numbers());
                numbers.add(counts.column());
            }
        }
        return numbers;
    }

    /**
     * Values of a text column: how many are numbers, or would be without their thousands' points.
     */
    private record Counts(Column column, long values, long numbers, long grouped) {
        long meantAsNumbers() {
            return numbers + grouped;
        }

        boolean isNumber() {
            long bad = values - meantAsNumbers();
            return meantAsNumbers() > 0
                    && (bad == 0 || (values >= FEWEST_VALUES && bad <= Math.max(1, FEW * values)));
        }
    }

    /** A column named as a number whose texts are none. */
    private void rejectTexts(StagedTable table, Column text, long bad) {
        if (bad > 0) {
            policy.check(
                    db,
                    table,
                    "%s IS NOT NULL AND %s IS NULL"
                            .formatted(text.sql(), text.asNumber(decimal).sql()),
                    text.sql(),
                    "column '"
                            + text.name().replace("%", "%%")
                            + "': the text \"%s\" is not a number"
                            + why()
                            + "if they are categories, name the column in"
                            + " data.table.categorical)");
        }
    }

    private String why() {
        return decimal == DecimalMark.POINT
                ? ", as the others are ("
                : " with a decimal comma (points between thousands are not read;"
                        + " write them without; ";
    }

    private List<Counts> counts(String from, List<Column> texts) {
        if (texts.isEmpty()) {
            return List.of();
        }
        List<String> counts = texts.stream().map(this::counted).toList();
        try {
            long[] found = db.longs("SELECT %s FROM %s".formatted(String.join(", ", counts), from));
            List<Counts> all = new ArrayList<>();
            for (int i = 0; i < texts.size(); i++) {
                all.add(new Counts(texts.get(i), found[3 * i], found[3 * i + 1], found[3 * i + 2]));
            }
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private String counted(Column text) {
        return "count(%1$s), count(%2$s), count(*) FILTER (%3$s)"
                .formatted(text.sql(), text.asNumber(decimal).sql(), decimal.isGrouped(text.sql()));
    }

    /** Numbers that are not finite, which are the user's error or left out. */
    void checkFinite(StagedTable table) {
        List<Column> numbers =
                table.columns().stream().filter(c -> c.kind() != ColumnKind.TEXT).toList();
        if (numbers.isEmpty()) {
            return;
        }
        List<String> counts =
                numbers.stream()
                        .map(c -> "count(*) FILTER (NOT isfinite(%s))".formatted(c.sql()))
                        .toList();
        try {
            long[] found =
                    db.longs(
                            "SELECT %s FROM %s".formatted(String.join(", ", counts), table.name()));
            for (int i = 0; i < found.length; i++) {
                if (found[i] > 0) {
                    Column column = numbers.get(i);
                    policy.check(
                            db,
                            table,
                            "NOT isfinite(%s)".formatted(column.sql()),
                            column.sql(),
                            "column '"
                                    + column.name().replace("%", "%%")
                                    + "': %s is not a finite number (add nan to"
                                    + " data.table.missing to take NaN as no value)");
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
