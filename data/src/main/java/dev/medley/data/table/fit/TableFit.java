package dev.medley.data.table.fit;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.table.TermSpec;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.WeightEncoding;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.TableScan;
import dev.medley.data.table.fit.RowSource.Coded;
import dev.medley.data.table.term.TermFit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fits an encoding on the rows that the split leaves for training. Takes chunks in row order. */
public final class TableFit {
    /** Values of a column of which quantiles are exact; fewer in wide tables. */
    private static final int KEPT = 1 << 18;

    private static final int LEAST_KEPT = 1 << 12;

    /** Values of all columns that are kept, where this many columns leave that many. */
    private static final int ALL_KEPT = 1 << 23;

    private final RowSource source;
    private final SplitSequence split;
    private final TableSpec spec;
    private final List<String> order;
    private final NumberStats[] numbers;
    private final QuantileSample[] samples;
    private final long[][] counts;
    private final NumberStats labelValues = new NumberStats();
    private final long[] classCounts;
    private final List<TermFit> terms;
    private final Map<String, TermFit> counted;
    private boolean[] isTrain = new boolean[0];
    private long trainRows;

    /**
     * A fit of nothing yet.
     *
     * @param split decides row by row
     * @param order of the columns in the files
     * @param counted columns of terms that were fitted elsewhere, by name
     */
    public TableFit(
            RowSource source,
            SplitSequence split,
            TableSpec spec,
            List<String> order,
            Map<String, TermFit> counted) {
        this.source = source;
        this.split = split;
        this.spec = spec;
        this.order = order;
        numbers = new NumberStats[source.dense().size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = new NumberStats();
        }
        samples = new QuantileSample[numbers.length];
        int kept = Math.max(LEAST_KEPT, Math.min(KEPT, ALL_KEPT / Math.max(1, numbers.length)));
        for (int i = 0; i < samples.length; i++) {
            samples[i] = new QuantileSample(kept);
        }
        counts = new long[source.coded().size()][];
        for (int i = 0; i < counts.length; i++) {
            // Place 0 counts missing values, place code + 1 the values.
            counts[i] = new long[source.coded().get(i).dictionary().values().size() + 1];
        }
        LabelChoice label = source.label();
        classCounts = new long[label == null ? 0 : label.classValues().size()];
        this.counted = counted;
        terms =
                source.texts().stream()
                        .map(
                                column ->
                                        counted.containsKey(column.name())
                                                ? counted.get(column.name())
                                                : ofTerms(column, spec.terms()))
                        .toList();
    }

    /** A column that the job does not name holds the pairs of a LIBSVM file. */
    private static TermFit ofTerms(Column column, TermSpec spec) {
        return spec.columns().contains(column.name())
                ? TermFit.ofTexts(column.name(), spec)
                : TermFit.ofPairs(column.name(), spec);
    }

    /** Counts a chunk. */
    public void add(TableScan.Chunk chunk) {
        if (isTrain.length < chunk.rows) {
            isTrain = new boolean[chunk.rows];
        }
        for (int row = 0; row < chunk.rows; row++) {
            isTrain[row] = !source.isNextValidation(split, chunk, row);
            trainRows += isTrain[row] ? 1 : 0;
        }
        for (int i = 0; i < numbers.length; i++) {
            numbers[i].add(chunk.numbers[i], isTrain, chunk.rows);
        }
        for (int i = 0; i < samples.length; i++) {
            samples[i].add(chunk.numbers[i], isTrain, chunk.rows);
        }
        for (int i = 0; i < counts.length; i++) {
            count(chunk.codes[i], 1, counts[i], chunk.rows);
        }
        for (int i = 0; i < terms.size(); i++) {
            if (!counted.containsKey(source.texts().get(i).name())) {
                terms.get(i).add(chunk.texts[i], isTrain, chunk.rows);
            }
        }
        LabelChoice label = source.label();
        if (label == null) {
            return;
        }
        if (label.isValue()) {
            labelValues.add(chunk.numbers[source.labelAt()], isTrain, chunk.rows);
        } else {
            count(chunk.codes[source.labelAt()], 0, classCounts, chunk.rows);
        }
    }

    private void count(int[] codes, int shift, long[] into, int rows) {
        for (int row = 0; row < rows; row++) {
            if (isTrain[row]) {
                into[codes[row] + shift]++;
            }
        }
    }

    /**
     * The encoding, with what was done told to {@code story}.
     *
     * @param csv how the files are written; null for another format than CSV
     * @param task what is asked of the label
     */
    public TableEncoding encoding(TableStory story, @Nullable CsvReading csv, Task task) {
        Map<String, ColumnEncoding> fitted = new HashMap<>();
        for (int i = 0; i < numbers.length; i++) {
            Column column = source.dense().get(i);
            NumberStats stats = numbers[i];
            story.missing(column.name(), stats.missing());
            if (stats.isConstant() && (stats.missing() == 0 || stats.missing() == trainRows)) {
                story.dropped(column.name(), "it has one value in all training rows");
            } else {
                fitted.put(column.name(), dense(i, scaling(i)));
            }
        }
        for (int i = 0; i < counts.length; i++) {
            Coded coded = source.coded().get(i);
            Category category = category(coded, counts[i]);
            story.missing(coded.column().name(), counts[i][0]);
            if (category.values().isEmpty() && category.rare() > 0) {
                story.dropped(
                        category.name(),
                        "all its values are rare, with fewer than %d training rows each"
                                .formatted(spec.terms().minFrequency()));
            } else if (category.knownCodes() < 2) {
                story.dropped(category.name(), "it has one value in all training rows");
            } else {
                story.rare(category, counts[i], trainRows);
                fitted.put(category.name(), category);
            }
        }
        for (int i = 0; i < terms.size(); i++) {
            String name = source.texts().get(i).name();
            SparseColumn column = terms.get(i).column();
            if (column == null) {
                story.dropped(name, "no training row has a term in it");
            } else {
                story.say(terms.get(i).sentence(column));
                fitted.put(name, column);
            }
        }
        List<ColumnEncoding> columns = new ArrayList<>();
        for (String name : order) {
            ColumnEncoding column = fitted.get(name);
            if (column != null) {
                columns.add(column);
            }
        }
        ConfigException.check(
                !columns.isEmpty(), "no column is left to learn from: %s", story.sentences());
        Column weight = source.weight();
        TableEncoding encoding =
                new TableEncoding(
                        columns,
                        checkedLabel(task == Task.COUNTS),
                        spec.missing(),
                        csv,
                        weight == null
                                ? null
                                : new WeightEncoding(weight.name(), weight.form().source()),
                        spec.terms().sparse());
        TermLimits.require(encoding);
        return encoding;
    }

    /** Training rows of every class. */
    List<Long> classCounts() {
        List<Long> all = new ArrayList<>();
        for (long count : classCounts) {
            all.add(count);
        }
        return all;
    }

    /** The label's values in training rows; meaningless for classes. */
    NumberStats labelValues() {
        return labelValues;
    }

    /** Whether the label's classes are texts in the files. */
    boolean hasTextLabel() {
        LabelChoice label = source.label();
        return label != null && label.column().kind() == ColumnKind.TEXT;
    }

    long trainRows() {
        return trainRows;
    }

    private LabelEncoding checkedLabel(boolean counts) {
        LabelChoice label = source.label();
        if (label == null) {
            return LabelEncoding.NONE;
        }
        String column = label.column().name();
        if (source.group() != null) {
            return LabelEncoding.ofGrade(
                    column, label.column().form().source(), source.group().name());
        } else if (label.isValue()) {
            LabelEncoding number =
                    LabelEncoding.ofNumber(
                            column,
                            label.column().form().source(),
                            labelValues.mean(),
                            labelValues.deviation());
            return counts ? number.ofCounts() : number;
        }
        long present = classCounts().stream().filter(count -> count > 0).count();
        ConfigException.check(
                present > 1,
                "label '%s' has one class only in the training rows (%s): there is nothing to"
                        + " learn; use more data or a stratified split",
                column,
                label.classValues());
        return LabelEncoding.ofClasses(column, label.classValues());
    }

    /** Of the values as a scan has them: seconds of moments. */
    private Scaling scaling(int i) {
        NumberStats stats = numbers[i];
        return switch (spec.scaling()) {
            case NONE, RAW -> Scaling.NONE;
            case STANDARD -> new Scaling(stats.mean(), stats.deviation(), 0);
            case ROBUST -> {
                if (source.dense().get(i).kind() == ColumnKind.BOOLEAN) {
                    yield RobustScale.OF_BOOLEANS;
                }
                double[] sorted = samples[i].sorted();
                yield sorted.length == 0 ? Scaling.NONE : RobustScale.of(sorted, stats.deviation());
            }
        };
    }

    /** Whether centres and scales are those of a part of the rows. */
    public boolean estimates() {
        return spec.scaling() == NumberScaling.ROBUST
                && Arrays.stream(samples).anyMatch(QuantileSample::isEstimate);
    }

    private ColumnEncoding dense(int i, Scaling scaling) {
        Column column = source.dense().get(i);
        boolean isRaw = spec.scaling() == NumberScaling.RAW;
        boolean indicator = numbers[i].missing() > 0 && !isRaw;
        return switch (column.kind()) {
            case DATE, TIMESTAMP -> {
                Scaling ofDays = ofDays(scaling);
                yield new Moment(
                        column.name(),
                        column.form().dates(),
                        column.kind() == ColumnKind.TIMESTAMP,
                        ofDays.centre(),
                        ofDays.scale(),
                        ofDays.clip(),
                        indicator,
                        isRaw,
                        bins(i, DateFeatures.DAY_SECONDS, ofDays));
            }
            default ->
                    new Numeric(
                            column.name(),
                            column.form().source(),
                            scaling.centre(),
                            scaling.scale(),
                            scaling.clip(),
                            indicator,
                            isRaw,
                            column.kind() == ColumnKind.BOOLEAN ? List.of() : bins(i, 1, scaling));
        };
    }

    private Scaling ofDays(Scaling ofSeconds) {
        return new Scaling(
                ofSeconds.centre() / DateFeatures.DAY_SECONDS,
                ofSeconds.equals(Scaling.NONE) ? 1 : ofSeconds.scale() / DateFeatures.DAY_SECONDS,
                ofSeconds.clip());
    }

    private List<Float> bins(int i, double unit, Scaling scaling) {
        return QuantileBins.of(samples[i].sorted(), unit, scaling, numbers.length);
    }

    private Category category(Coded coded, long[] rows) {
        List<String> known = new ArrayList<>();
        List<String> values = coded.dictionary().values();
        boolean[] isKept = FrequentValues.of(rows, 1, spec.terms());
        long rare = 0;
        for (int code = 0; code < values.size(); code++) {
            if (isKept[code + 1]) {
                known.add(values.get(code));
            } else {
                rare += rows[code + 1];
            }
        }
        boolean embedded = known.size() > spec.oneHotLimit();
        return new Category(
                coded.column().name(), known, rows[0] > 0, embedded, (double) rare / trainRows);
    }
}
