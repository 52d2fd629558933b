package dev.medley.data.table.column;

import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads staged texts once into a table of typed values; all that follows reads that table. Rows
 * with a value that is none of its column are the user's error, or left out.
 */
public final class TypedTable {
    private final DuckDb db;
    private final BadRowPolicy policy;
    private final DecimalMark decimal;

    /** Casts texts to the types of their columns, and does with bad rows as {@code policy} says. */
    public TypedTable(DuckDb db, BadRowPolicy policy, DecimalMark decimal) {
        this.db = db;
        this.policy = policy;
        this.decimal = decimal;
    }

    /**
     * The table {@code name} with the values of {@code staged}, which is dropped.
     *
     * @param texts columns whose texts are kept beside their values
     * @param open columns that may have other values
     * @param remedy what to do about a value that its column's others are not, for each column
     */
    public StagedTable of(
            String name,
            StagedTable staged,
            Set<String> texts,
            Set<String> open,
            Function<Column, String> remedy) {
        List<Column> columns = fill(name, staged, texts);
        StagedTable typed = new StagedTable(name, columns, staged.parts());
        long before = policy.skipped();
        reject(staged, typed, open, remedy);
        if (policy.skipped() > before) {
            policy.requireSome(db, staged);
            execute("DROP TABLE " + name);
            fill(name, staged, texts);
        }
        List<StagedTable.Part> parts = left(staged);
        execute("DROP TABLE " + staged.name());
        return new StagedTable(name, columns, parts);
    }

    /** The files where their rows are, without those that were left out before them. */
    private List<StagedTable.Part> left(StagedTable staged) {
        if (policy.skipped() == 0 || staged.parts().size() == 1) {
            return staged.parts();
        }
        List<StagedTable.Part> parts = new ArrayList<>();
        for (StagedTable.Part part : staged.parts()) {
            String before = "SELECT count(*) FROM %s WHERE rowid < %d";
            try {
                long first = db.longs(before.formatted(staged.name(), part.firstRow()))[0];
                parts.add(new StagedTable.Part(part.file(), first, part.lines()));
            } catch (SQLException e) {
                throw new IllegalStateException(before, e);
            }
        }
        return parts;
    }

    private List<Column> fill(String name, StagedTable staged, Set<String> texts) {
        List<Column> columns = new ArrayList<>();
        List<String> select = new ArrayList<>();
        for (Column column : staged.columns()) {
            String id = "v" + columns.size();
            select.add(column.sql() + " AS " + id);
            boolean isText = column.kind() == ColumnKind.TEXT;
            boolean keeps = !isText && texts.contains(column.name());
            if (keeps) {
                select.add(column.text() + " AS t" + columns.size());
            }
            String input = keeps ? "t" + columns.size() : id;
            columns.add(new Column(column.name(), column.form(), input, id, isText || keeps));
        }
        execute(
                "CREATE TABLE %s AS SELECT %s FROM %s"
                        .formatted(name, String.join(", ", select), staged.name()));
        return columns;
    }

    private void reject(
            StagedTable staged,
            StagedTable typed,
            Set<String> open,
            Function<Column, String> remedy) {
        List<Integer> dense = new ArrayList<>();
        for (int i = 0; i < staged.columns().size(); i++) {
            Column column = staged.columns().get(i);
            if (column.kind() != ColumnKind.TEXT && !open.contains(column.name())) {
                dense.add(i);
            }
        }
        List<long[]> given =
                new ColumnQuery(db, staged.name())
                        .counts(
                                dense,
                                i -> staged.columns().get(i).isText(),
                                i -> staged.columns().get(i).input(),
                                (isText, value) -> List.of("count(" + value + ")"));
        List<long[]> read =
                new ColumnQuery(db, typed.name())
                        .counts(
                                dense,
                                i -> typed.columns().get(i).sql(),
                                value ->
                                        List.of(
                                                "count(" + value + ")",
                                                "count(*) FILTER (NOT isfinite(" + value + "))"));
        for (int k = 0; k < dense.size(); k++) {
            Column column = staged.columns().get(dense.get(k));
            if (read.get(k)[0] < given.get(k)[0]) {
                rejectUnread(staged, column, remedy.apply(column));
            }
            if (read.get(k)[1] > 0) {
                rejectInfinite(staged, column);
            }
        }
    }

    private void rejectUnread(StagedTable staged, Column column, String remedy) {
        policy.check(
                db,
                staged,
                "%s IS NOT NULL AND %s IS NULL".formatted(column.input(), column.sql()),
                column.text(),
                "column '%s': the text \"%%s\" %s%s"
                        .formatted(
                                BadRowPolicy.literally(column.name()),
                                BadRowPolicy.literally(column.form().isNot(decimal)),
                                remedy));
    }

    private void rejectInfinite(StagedTable staged, Column column) {
        policy.check(
                db,
                staged,
                "NOT isfinite(%s)".formatted(column.sql()),
                column.sql(),
                "column '%s': %%s is not a finite number (add nan to data.table.missing to take NaN"
                                .formatted(BadRowPolicy.literally(column.name()))
                        + " as no value)");
    }

    private void execute(String sql) {
        try {
            db.plainly(() -> db.execute(sql));
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
