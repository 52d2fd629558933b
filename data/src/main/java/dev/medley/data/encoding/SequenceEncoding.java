package dev.medley.data.encoding;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import dev.medley.data.encoding.ColumnEncoding.Category;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of whole sequences, each with one label: FLOAT32 {@code rows} [rows, features + 1],
 * the last rows of a sequence in the order of time: columns of numbers, scaled, and a number for
 * each value of a category, of which one is 1. A shorter one begins with rows of 0; the last number
 * of a row says whether it is one of the sequence, with 1.
 *
 * @param time column of times
 * @param by columns that tell sequences apart
 * @param columns of numbers that are seen
 * @param rows that are seen at most
 * @param scales of the columns of numbers, over the training rows; a missing number becomes 0, the
 *     mean
 * @param label of a sequence
 * @param categories columns of them; null, as in the files of versions that had none
 */
public record SequenceEncoding(
        String time,
        List<String> by,
        List<String> columns,
        int rows,
        List<Scaling> scales,
        LabelEncoding label,
        @Nullable List<Category> categories)
        implements Encoding {
    public SequenceEncoding {
        by = List.copyOf(by);
        columns = List.copyOf(columns);
        scales = List.copyOf(scales);
        categories = categories == null ? List.of() : List.copyOf(categories);
    }

    /** Sequences without categories. */
    public SequenceEncoding(
            String time,
            List<String> by,
            List<String> columns,
            int rows,
            List<Scaling> scales,
            LabelEncoding label) {
        this(time, by, columns, rows, scales, label, List.of());
    }

    @Override
    public Signature signature() {
        Signature.Input seen =
                new Signature.Input(
                        "rows", ElementType.FLOAT32, List.of(rows, rowNumbers()), List.of());
        return new Signature(List.of(seen), label.target());
    }

    @Override
    public String reads() {
        return "sequences over time";
    }

    /** Numbers of a row: its features, and whether it is one. */
    public int rowNumbers() {
        return features().size() + 1;
    }

    /** The columns of categories. */
    public List<Category> ofCategories() {
        return Objects.requireNonNull(categories);
    }

    /** All columns that are read, those of numbers first. */
    public List<String> seen() {
        List<String> all = new ArrayList<>(columns);
        ofCategories().forEach(category -> all.add(category.name()));
        return all;
    }

    /** Names of the numbers of a row: its columns, and the values of its categories. */
    public List<String> features() {
        List<String> all = new ArrayList<>(columns);
        ofCategories().forEach(category -> all.addAll(category.codeNames()));
        return all;
    }

    /** How each feature is scaled; those of categories are not. */
    public List<Scaling> scalings() {
        List<Scaling> all = new ArrayList<>(scales);
        all.addAll(Collections.nCopies(features().size() - columns.size(), Scaling.NONE));
        return all;
    }
}
