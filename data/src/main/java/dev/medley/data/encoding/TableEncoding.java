package dev.medley.data.encoding;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a table's rows as up to three arrays. They are {@code features} FLOAT32 [dense
 * features, then one-hot vectors], {@code terms} FLOAT32 [most terms of a row, 2] and {@code
 * categories} INT64 [one code per embedded column]. An array without columns is left out. A term is
 * the index of a feature of a sparse column, those of all columns counted through, and its value;
 * terms that a row does not have are 0, as is their index. Where models do not take terms, their
 * features stand behind the one-hot vectors.
 *
 * @param columns the columns used, in file order
 * @param label what is predicted
 * @param missing texts that mean "no value"
 * @param csv how the CSV files were written; null for files of another format
 * @param weight what rows count; null where all count one
 * @param sparse whether models take terms; not so in models of versions that had no such component
 */
public record TableEncoding(
        List<ColumnEncoding> columns,
        LabelEncoding label,
        List<String> missing,
        @Nullable CsvReading csv,
        @Nullable WeightEncoding weight,
        @JsonSetter(nulls = Nulls.AS_EMPTY) boolean sparse)
        implements Encoding {
    public TableEncoding {
        columns = List.copyOf(columns);
        missing = List.copyOf(missing);
    }

    /** Rows that all count one. */
    public TableEncoding(
            List<ColumnEncoding> columns,
            LabelEncoding label,
            List<String> missing,
            @Nullable CsvReading csv) {
        this(columns, label, missing, csv, null, false);
    }

    /** The same of rows that count what the column {@code name} says; null for all alike. */
    public TableEncoding weighedBy(@Nullable String name) {
        WeightEncoding same = weight != null && weight.column().equals(name) ? weight : null;
        WeightEncoding other =
                name == null ? null : new WeightEncoding(name, ColumnEncoding.Source.NUMBER);
        return new TableEncoding(columns, label, missing, csv, same != null ? same : other, sparse);
    }

    /** The same with room for rows of so many terms in each sparse column, where that is more. */
    public TableEncoding withSlots(List<Integer> most) {
        List<ColumnEncoding> roomy = new ArrayList<>();
        int at = 0;
        for (ColumnEncoding column : columns) {
            if (column instanceof SparseColumn terms) {
                roomy.add(terms.withSlots(Math.max(terms.slots(), most.get(at++))));
            } else {
                roomy.add(column);
            }
        }
        return new TableEncoding(roomy, label, missing, csv, weight, sparse);
    }

    @Override
    public Signature signature() {
        List<Signature.Input> inputs = new ArrayList<>();
        if (featureCount() > 0) {
            inputs.add(
                    new Signature.Input(
                            "features",
                            ElementType.FLOAT32,
                            List.of(featureCount()),
                            List.of(),
                            bins()));
        }
        if (sparse && slots() > 0) {
            inputs.add(
                    new Signature.Input(
                            "terms",
                            ElementType.FLOAT32,
                            List.of(slots(), 2),
                            List.of(termCount())));
        }
        List<Category> embedded = embedded();
        if (!embedded.isEmpty()) {
            inputs.add(
                    new Signature.Input(
                            "categories",
                            ElementType.INT64,
                            List.of(embedded.size()),
                            embedded.stream().map(Category::cardinality).toList()));
        }
        return new Signature(inputs, label.target(), weight != null);
    }

    /** Of each dense feature; none where no column has any. */
    private List<List<Float>> bins() {
        List<List<Float>> bins = new ArrayList<>();
        for (Dense column : dense()) {
            bins.add(column.bins());
            for (int rest = 1; rest < column.features().size(); rest++) {
                bins.add(List.of());
            }
        }
        return bins.stream().allMatch(List::isEmpty) ? List.of() : bins;
    }

    @Override
    public String reads() {
        return "a table";
    }

    /** Numbers and moments, in file order. */
    public List<Dense> dense() {
        return columns.stream().filter(Dense.class::isInstance).map(Dense.class::cast).toList();
    }

    /** Whether missing numbers stay missing: the way of models that split on values. */
    public boolean keepsMissing() {
        return dense().stream().anyMatch(Dense::keepsMissing);
    }

    /** Categories that become one-hot vectors, in file order. */
    public List<Category> oneHot() {
        return categories().stream().filter(c -> !c.embedded()).toList();
    }

    /** Categories that the model embeds, in file order. */
    public List<Category> embedded() {
        return categories().stream().filter(Category::embedded).toList();
    }

    /** Dense features of one row. */
    public int denseCount() {
        return dense().stream().mapToInt(column -> column.features().size()).sum();
    }

    /** Columns of few terms a row, in file order. */
    public List<SparseColumn> ofTerms() {
        return columns.stream()
                .filter(SparseColumn.class::isInstance)
                .map(SparseColumn.class::cast)
                .toList();
    }

    /** Most terms of a row. */
    public int slots() {
        return ofTerms().stream().mapToInt(SparseColumn::slots).sum();
    }

    /** Features of sparse columns. */
    public int termCount() {
        return ofTerms().stream().mapToInt(SparseColumn::width).sum();
    }

    /** Features of one row before those of sparse columns. */
    public int plainCount() {
        return denseCount() + oneHot().stream().mapToInt(Category::knownCodes).sum();
    }

    /** Numbers of one row's features, one-hot vectors included. */
    public int featureCount() {
        return plainCount() + (sparse ? 0 : termCount());
    }

    /** Names of the features and then of terms, for people. */
    public List<String> featureNames() {
        List<String> names = new ArrayList<>();
        dense().forEach(column -> names.addAll(column.features()));
        oneHot().forEach(column -> names.addAll(column.codeNames()));
        for (SparseColumn column : ofTerms()) {
            for (int i = 0; i < column.width(); i++) {
                names.add(column.feature(i));
            }
        }
        return names;
    }

    private List<Category> categories() {
        return columns.stream()
                .filter(Category.class::isInstance)
                .map(Category.class::cast)
                .toList();
    }
}
