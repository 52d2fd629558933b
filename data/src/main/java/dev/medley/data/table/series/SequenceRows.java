package dev.medley.data.table.series;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.engine.TableScan;
import dev.medley.data.table.fit.LabelChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of sequences in DuckDB, sequence by sequence and each in the order of time.
 *
 * @param db that has them
 * @param file for messages
 * @param columns that are seen
 * @param names of each sequence
 * @param label of sequences; null where they have none
 */
record SequenceRows(
        DuckDb db,
        Path file,
        List<String> columns,
        List<List<String>> names,
        @Nullable LabelChoice label) {
    private static final String TABLE = "sequence_rows";

    SequenceRows {
        columns = List.copyOf(columns);
        names = List.copyOf(names);
    }

    /**
     * Reads files.
     *
     * @param labelColumn the label; null where none is looked for
     * @param known the label as it was fitted; null to find it out
     */
    static SequenceRows stage(
            DuckDb db,
            DataSpec spec,
            SeriesSpec series,
            @Nullable String labelColumn,
            @Nullable LabelEncoding known,
            DataFormat format,
            List<Path> files,
            PreparationProgress progress) {
        SeriesTable table =
                SeriesTable.read(db, spec, series, labelColumn, format, files, progress);
        LabelChoice label = labelColumn == null ? null : label(table, labelColumn, known, spec);
        List<String> select = new ArrayList<>(table.numbers().stream().map(table::sql).toList());
        if (label != null) {
            select.add(label.isValue() ? label.column().sql() : label.code());
        }
        List<List<String>> names = table.order(TABLE, series, select);
        return new SequenceRows(db, files.get(0), table.numbers(), names, label);
    }

    private static LabelChoice label(
            SeriesTable table, String name, @Nullable LabelEncoding known, DataSpec spec) {
        Column column = table.typed().column(name).orElseThrow();
        return known == null
                ? LabelChoice.of(table.db(), table.typed(), column, spec.task(), table.decimal())
                : LabelChoice.of(table.db(), table.typed(), column, known, table.decimal());
    }

    /**
     * The label of each sequence, a number or the index of a class.
     *
     * @throws dev.medley.base.ConfigException for a sequence without one, or with two
     */
    double[] labels(LabelChoice choice) {
        String label = "c" + columns.size();
        String given =
                choice.isValue() ? label : "CASE WHEN %1$s >= 0 THEN %1$s END".formatted(label);
        List<List<String>> found =
                query(
                        "SELECT count(*) - count(%1$s), min(%1$s), max(%1$s) FROM (SELECT s, %2$s AS"
                                        .formatted("g", given)
                                + " g FROM %s) GROUP BY s ORDER BY s".formatted(TABLE));
        double[] labels = new double[found.size()];
        for (int s = 0; s < labels.length; s++) {
            List<String> row = found.get(s);
            check(
                    row.get(0).equals("0"),
                    "%s, column '%s': %s has rows without a label that is known from training: give"
                            + " every row of a sequence its label, or leave the sequence out",
                    file,
                    choice.column().name(),
                    nameOf(s));
            check(
                    row.get(1).equals(row.get(2)),
                    "%s, column '%s': %s has rows with '%s' and with '%s': a sequence has one"
                            + " label",
                    file,
                    choice.column().name(),
                    nameOf(s),
                    text(choice, row.get(1)),
                    text(choice, row.get(2)));
            labels[s] = Double.parseDouble(row.get(1));
        }
        return labels;
    }

    private static String text(LabelChoice choice, String label) {
        return choice.isValue() ? label : choice.classValues().get((int) Double.parseDouble(label));
    }

    /** Hands rows over in order: the columns; codes are sequences. */
    void scan(TableScan.Sink sink) throws IOException {
        List<String> numbers = new ArrayList<>();
        for (int c = 0; c < columns.size(); c++) {
            numbers.add("c" + c);
        }
        TableScan.run(db, TABLE, numbers, List.of("s"), List.of(), sink);
    }

    /** The table is dropped, so that other files can be read. */
    void drop() {
        try {
            db.execute("DROP TABLE " + TABLE);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private String nameOf(int sequence) {
        return "the sequence '" + String.join(", ", names.get(sequence)) + "'";
    }

    private List<List<String>> query(String sql) {
        try {
            return db.rows(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
