package dev.medley.data.table.fit;

import dev.medley.data.shard.SplitSequence;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.engine.TableScan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a staged table in the order in which a scan delivers them. Numbers are dense
 * columns, then the label if it is a number, then the weight, then whether a row begins a group;
 * codes are categories, then the label if it is a class, then the stratum; texts are the columns of
 * terms.
 *
 * @param dense numbers, booleans and moments
 * @param coded categories with their dictionaries
 * @param texts columns of which a row has terms
 * @param label null where new data has none
 * @param stratum an INTEGER expression for a stratified split; null for none
 * @param weight what rows count; null where all count one
 * @param group whose values say which rows are ranked together; null where none are
 */
public record RowSource(
        List<Column> dense,
        List<Coded> coded,
        List<Column> texts,
        @Nullable LabelChoice label,
        @Nullable String stratum,
        @Nullable Column weight,
        @Nullable Column group) {
    /** A number for each name of a group: of 53 bits, which names of neighbours do not share. */
    private static final String NAME = "CAST((hash(%s) >> 11) AS DOUBLE)";

    public RowSource {
        dense = List.copyOf(dense);
        coded = List.copyOf(coded);
        texts = List.copyOf(texts);
    }

    /** The columns of terms alone. */
    public RowSource ofTexts() {
        return new RowSource(List.of(), List.of(), texts, null, null, null, null);
    }

    /** A category column. */
    public record Coded(Column column, Dictionary dictionary) {}

    /** Hands the rows of a table to {@code sink}, chunk by chunk, in their order. */
    public void scan(DuckDb db, String table, TableScan.Sink sink) throws IOException {
        List<String> numbers = new ArrayList<>(dense.stream().map(Column::sql).toList());
        List<String> codes = new ArrayList<>();
        for (Coded category : coded) {
            codes.add(category.dictionary().code(category.column().sql()));
        }
        if (label != null && label.isValue()) {
            numbers.add(label.column().sql());
        } else if (label != null) {
            codes.add(label.textCode());
        }
        if (weight != null) {
            numbers.add(weight.sql());
        }
        if (group != null) {
            numbers.add(NAME.formatted(group.text()));
        }
        if (stratum != null) {
            codes.add(stratum);
        }
        double[] before = {Double.NaN};
        TableScan.run(
                db,
                table,
                numbers,
                codes,
                texts.stream().map(Column::text).toList(),
                chunk -> {
                    toValues(chunk);
                    before[0] = toBeginnings(chunk, before[0]);
                    sink.accept(chunk);
                });
    }

    /** Puts 1 where another group begins and 0 elsewhere in the place of the groups' names. */
    private double toBeginnings(TableScan.Chunk chunk, double before) {
        double last = before;
        for (int row = 0; group != null && row < chunk.rows; row++) {
            double name = chunk.numbers[groupAt()][row];
            chunk.numbers[groupAt()][row] = name == last ? 0 : 1;
            last = name;
        }
        return last;
    }

    private void toValues(TableScan.Chunk chunk) {
        for (int i = 0; i < coded.size(); i++) {
            coded.get(i).dictionary().toValues(chunk.codes[i], chunk.rows);
        }
        if (label != null && label.classes() != null) {
            label.classes().toValues(chunk.codes[labelAt()], chunk.rows);
        }
    }

    /** The same columns with strata; null for none. */
    public RowSource stratified(@Nullable String by) {
        return new RowSource(dense, coded, texts, label, by, weight, group);
    }

    /** Place of the label among the numbers or codes of a chunk. */
    public int labelAt() {
        return label != null && label.isValue() ? dense.size() : coded.size();
    }

    /** What a row of a chunk counts. */
    public double weight(TableScan.Chunk chunk, int row) {
        return weight == null ? 1 : chunk.numbers[weightAt()][row];
    }

    private int weightAt() {
        return dense.size() + (label != null && label.isValue() ? 1 : 0);
    }

    private int groupAt() {
        return weightAt() + (weight == null ? 0 : 1);
    }

    /** Whether a row of a chunk is ranked with others than the row before it. */
    public boolean beginsGroup(TableScan.Chunk chunk, int row) {
        return group == null || chunk.numbers[groupAt()][row] > 0;
    }

    /** Whether the next row is kept for validation; groups are kept or not as a whole. */
    public boolean isNextValidation(SplitSequence split, TableScan.Chunk chunk, int row) {
        return beginsGroup(chunk, row)
                ? split.nextIsValidation(stratum(chunk, row))
                : split.wasValidation();
    }

    /** The strata of a chunk; zeros where there is none. */
    public int stratum(TableScan.Chunk chunk, int row) {
        return stratum == null ? 0 : chunk.codes[chunk.codes.length - 1][row];
    }
}
