package dev.medley.data.table.fit;

import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.engine.TableScan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a staged table in the order in which a scan delivers them. Numbers are dense
 * columns, then the label if it is a number, then the weight; codes are categories, then the label
 * if it is a class, then the stratum; texts are the columns of terms.
 *
 * @param dense numbers, booleans and moments
 * @param coded categories with their dictionaries
 * @param texts columns of which a row has terms
 * @param label null where new data has none
 * @param stratum an INTEGER expression for a stratified split; null for none
 * @param weight what rows count; null where all count one
 */
public record RowSource(
        List<Column> dense,
        List<Coded> coded,
        List<Column> texts,
        @Nullable LabelChoice label,
        @Nullable String stratum,
        @Nullable Column weight) {
    public RowSource {
        dense = List.copyOf(dense);
        coded = List.copyOf(coded);
        texts = List.copyOf(texts);
    }

    /** The columns of terms alone. */
    public RowSource ofTexts() {
        return new RowSource(List.of(), List.of(), texts, null, null, null);
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
            codes.add(label.code());
        }
        if (weight != null) {
            numbers.add(weight.sql());
        }
        if (stratum != null) {
            codes.add(stratum);
        }
        TableScan.run(
                db,
                table,
                numbers,
                codes,
                texts.stream().map(Column::text).toList(),
                chunk -> {
                    toValues(chunk);
                    sink.accept(chunk);
                });
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
        return new RowSource(dense, coded, texts, label, by, weight);
    }

    /** Place of the label among the numbers or codes of a chunk. */
    public int labelAt() {
        return label != null && label.isValue() ? dense.size() : coded.size();
    }

    /** What a row of a chunk counts. */
    public double weight(TableScan.Chunk chunk, int row) {
        int at = dense.size() + (label != null && label.isValue() ? 1 : 0);
        return weight == null ? 1 : chunk.numbers[at][row];
    }

    /** The strata of a chunk; zeros where there is none. */
    public int stratum(TableScan.Chunk chunk, int row) {
        return stratum == null ? 0 : chunk.codes[chunk.codes.length - 1][row];
    }
}
