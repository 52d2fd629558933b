package dev.medley.data.table.series;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.column.BadRowPolicy;
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
 * @param columns of numbers that are seen
 * @param categories columns of them that are seen
 * @param names of each sequence
 * @param unit of times
 * @param label of sequences; null where they have none
 * @param places of rows in files
 * @param policy for bad rows
 * @param sentences what the user should know of the columns
 */
record SequenceRows(
        DuckDb db,
        Path file,
        List<String> columns,
        SeriesCategories categories,
        List<List<String>> names,
        Cadence.Unit unit,
        @Nullable LabelChoice label,
        RowPlaces places,
        BadRowPolicy policy,
        List<String> sentences) {
    private static final String TABLE = "sequence_rows";

    SequenceRows {
        columns = List.copyOf(columns);
        names = List.copyOf(names);
        sentences = List.copyOf(sentences);
    }

    /**
     * Reads files.
     *
     * @param labelColumn the label; null where none is looked for
     * @param known the label as it was fitted; null to find it out
     * @param fitted categories likewise
     */
    static SequenceRows stage(
            DuckDb db,
            DataSpec spec,
            SeriesSpec series,
            @Nullable String labelColumn,
            @Nullable LabelEncoding known,
            @Nullable List<Category> fitted,
            DataFormat format,
            List<Path> files,
            PreparationProgress progress) {
        SeriesTable table =
                SeriesTable.read(
                        db,
                        spec,
                        series,
                        SeriesTable.Use.SEQUENCES,
                        labelColumn,
                        fitted,
                        format,
                        files,
                        progress);
        LabelChoice label = labelColumn == null ? null : label(table, labelColumn, known, spec);
        List<String> select = new ArrayList<>(table.numbers().stream().map(table::number).toList());
        if (label != null) {
            select.add(label.isValue() ? label.column().sql() : label.code());
        }
        SeriesCategories categories = table.categories();
        for (String name : categories.names()) {
            select.add(categories.code(table.typed().column(name).orElseThrow()));
        }
        List<List<String>> names = table.order(TABLE, series, select);
        categories.forget(db);
        if (label != null) {
            label.forget(db);
        }
        return new SequenceRows(
                db,
                files.get(0),
                table.numbers(),
                categories,
                names,
                table.unit(),
                label,
                table.places(TABLE),
                table.policy(),
                table.sentences());
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
                        ("SELECT min(r) FILTER (g IS NULL), min(g), max(g), arg_min(r, g),"
                             + " arg_max(r, g) FROM (SELECT s, r, %s AS g FROM %s) GROUP BY s ORDER"
                             + " BY s")
                                .formatted(given, TABLE));
        double[] labels = new double[found.size()];
        for (int s = 0; s < labels.length; s++) {
            List<String> row = found.get(s);
            if (row.get(0) != null) {
                throw new ConfigException(
                        "%s, column '%s': %s has rows without a label that is known from training:"
                                        .formatted(
                                                places.at(Long.parseLong(row.get(0))),
                                                choice.column().name(),
                                                nameOf(s))
                                + " give every row of a sequence its label, or leave the sequence"
                                + " out");
            }
            if (!row.get(1).equals(row.get(2))) {
                throw new ConfigException(
                        "%s, column '%s': %s has rows with '%s' and with '%s': a sequence has one"
                                        .formatted(
                                                places.both(
                                                        Long.parseLong(row.get(3)),
                                                        Long.parseLong(row.get(4))),
                                                choice.column().name(),
                                                nameOf(s),
                                                text(choice, row.get(1)),
                                                text(choice, row.get(2)))
                                + " label");
            }
            labels[s] = Double.parseDouble(row.get(1));
        }
        return labels;
    }

    private static String text(LabelChoice choice, String label) {
        return choice.isValue() ? label : choice.classValues().get((int) Double.parseDouble(label));
    }

    /**
     * Hands rows over in order: times, then the columns; codes are sequences, then categories.
     *
     * @throws ConfigException for two rows of one time
     */
    void scan(TableScan.Sink sink) throws IOException {
        List<String> numbers = new ArrayList<>(List.of("t"));
        for (int c = 0; c < columns.size(); c++) {
            numbers.add("c" + c);
        }
        List<String> codes = new ArrayList<>(List.of("s"));
        int first = columns.size() + (label == null ? 0 : 1);
        for (int c = 0; c < categories.names().size(); c++) {
            codes.add("c" + (first + c));
        }
        int[] sequence = {-1};
        double[] before = {0};
        TableScan.Sink ordered =
                chunk -> {
                    for (int row = 0; row < chunk.rows; row++) {
                        int s = chunk.codes[0][row];
                        double time = chunk.numbers[0][row];
                        if (s == sequence[0] && time == before[0]) {
                            throw twice(s, time);
                        }
                        sequence[0] = s;
                        before[0] = time;
                    }
                    sink.accept(chunk);
                };
        try {
            TableScan.run(db, TABLE, numbers, codes, List.of(), ordered);
        } catch (RowTrouble e) {
            throw e.in(places);
        }
    }

    private RowTrouble twice(int sequence, double time) {
        return new RowTrouble(
                sequence,
                time,
                ": %s has two rows for %s: keep one, or name what tells them apart in"
                                .formatted(nameOf(sequence), Cadence.text(unit, time))
                        + " data.series.by");
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
