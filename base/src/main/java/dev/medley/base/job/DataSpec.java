package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.table.TermSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The data that a job learns from: its files, its split, and how each format becomes arrays.
 *
 * <p>Long because every key of a job's data has its component, its check and its words here.
 *
 * @param format of the files
 * @param train files, folders or globs
 * @param validation files of a given split; empty if the split is made here
 * @param label the column to predict; null where the format implies it
 * @param split how the validation samples are chosen when they are not given
 * @param table for CSV, Parquet and JSON lines
 * @param image for IDX and image folders
 * @param text for text
 * @param cache limits of decoded data
 * @param prefetchBatches batches prepared ahead of the step that needs them
 * @param custom the class of a {@link DataFormat#CUSTOM} source, else null
 * @param placement whether workers keep samples of their own. Null, as in the records of versions
 *     that had no such component, is {@link Placement#EVERYWHERE}
 * @param task what is asked of a table's label
 * @param weight the column that says what each row of a table counts; null where all count one
 * @param series how a table becomes windows over time; null where its rows are the samples
 * @param group the column whose values say which rows of a table are ranked together, which makes
 *     the task ranking; null where none are
 */
public record DataSpec(
        DataFormat format,
        List<String> train,
        List<String> validation,
        @Nullable String label,
        SplitSpec split,
        TableSpec table,
        ImageSpec image,
        TextSpec text,
        CacheSpec cache,
        int prefetchBatches,
        @Nullable ClassSpec custom,
        Placement placement,
        Task task,
        @Nullable String weight,
        @Nullable SeriesSpec series,
        @Nullable String group) {
    public DataSpec {
        check(
                weight == null || !weight.equals(label),
                "data.weight=%s: it is data.label, too",
                weight);
        task = Objects.requireNonNullElse(task, Task.FOUND);
        task = group != null && task == Task.FOUND ? Task.RANKING : task;
        requireGroups(task, group, label, weight, split);
        check(
                task != Task.NONE || label == null,
                "data.label=%s: what is learnt here takes no label; leave it out, and name the"
                        + " column in data.table.drop if it is not to be learnt from",
                label);
        placement = Objects.requireNonNullElse(placement, Placement.EVERYWHERE);
        train = List.copyOf(train);
        validation = List.copyOf(validation);
        check(
                !train.isEmpty() || format == DataFormat.CUSTOM,
                "data has no files: set data.train to a file, a folder or a pattern");
        check(
                (format == DataFormat.CUSTOM) == (custom != null),
                "data.format=%s and data.class=%s: a class goes with format custom, and only there",
                format,
                custom);
        check(prefetchBatches >= 1, "data.prefetch=%d: at least 1", prefetchBatches);
    }

    private static void requireGroups(
            Task task,
            @Nullable String group,
            @Nullable String label,
            @Nullable String weight,
            SplitSpec split) {
        check(
                task != Task.RANKING || group != null,
                "data.task=ranking without data.group: name the column whose values say which rows"
                        + " are ranked together, as those of one query are");
        if (group == null) {
            return;
        }
        check(
                task == Task.RANKING,
                "data.group=%s, data.task=%s: groups are for ranking; leave one of them out",
                group,
                task.name().toLowerCase(Locale.ROOT));
        check(!group.equals(label), "data.group=%s: it is data.label, too", group);
        check(
                weight == null,
                "data.weight=%s, data.group=%s: rows that are ranked together have no weights of"
                        + " their own; leave data.weight out",
                weight,
                group);
        check(
                split.kind() != SplitKind.STRATIFIED,
                "data.split.kind=stratified, data.group=%s: groups stay whole, so rows are not"
                        + " chosen by themselves; take random or tail",
                group);
    }

    /** The same rows, to be ranked among those with the same value of this column. */
    public DataSpec rankedBy(String column) {
        return new DataSpec(
                format,
                train,
                validation,
                label,
                split,
                table,
                image,
                text,
                cache,
                prefetchBatches,
                custom,
                placement,
                Task.RANKING,
                weight,
                series,
                column);
    }

    /** Samples that all count one, and of which any worker takes any. */
    public DataSpec(
            DataFormat format,
            List<String> train,
            List<String> validation,
            @Nullable String label,
            SplitSpec split,
            TableSpec table,
            ImageSpec image,
            TextSpec text,
            CacheSpec cache,
            int prefetchBatches,
            @Nullable ClassSpec custom) {
        this(
                format,
                train,
                validation,
                label,
                split,
                table,
                image,
                text,
                cache,
                prefetchBatches,
                custom,
                Placement.EVERYWHERE,
                Task.FOUND,
                null,
                null,
                null);
    }

    /** The same for models that split on values; see {@link TableSpec#forTrees}. */
    public DataSpec forTrees() {
        return with(table.forTrees());
    }

    /** The same for models that take few terms of many; see {@link TermSpec#forSparse}. */
    public DataSpec forSparse() {
        return with(table.with(table.terms().forSparse()));
    }

    /** The same whose label counts events. */
    public DataSpec ofCounts() {
        return with(table, Task.COUNTS);
    }

    /** The same of other files. */
    public DataSpec reading(List<String> train, List<String> validation) {
        return with(train, validation, table, cache, task);
    }

    /** The same under other limits. */
    public DataSpec with(CacheSpec limits) {
        return with(train, validation, table, limits, task);
    }

    private DataSpec with(TableSpec changed) {
        return with(changed, task);
    }

    private DataSpec with(TableSpec changed, Task asked) {
        return with(train, validation, changed, cache, asked);
    }

    private DataSpec with(
            List<String> learnt,
            List<String> judged,
            TableSpec rows,
            CacheSpec limits,
            Task asked) {
        return new DataSpec(
                format,
                learnt,
                judged,
                label,
                split,
                rows,
                image,
                text,
                limits,
                prefetchBatches,
                custom,
                placement,
                asked,
                weight,
                series,
                group);
    }

    /** The same for models that find something in rows without a label. */
    public DataSpec withoutLabel(TableSpec as) {
        return with(as, Task.NONE);
    }

    /**
     * The same for a factorisation: every category is a code; of users and items the columns are
     * categories whatever they hold, and the label is a number unless the job says otherwise.
     */
    public DataSpec forFactors(FactorSpec factors) {
        Task asked = factors.hasUsers() && task == Task.FOUND ? Task.REGRESSION : task;
        return with(table.forFactors(factors), factors.isImplicit() ? Task.STRENGTH : asked);
    }

    /** The kind of a table's label: one of classes, a number, a grade, or none. */
    public enum Task {
        /** Texts, booleans and up to 20 different whole numbers are classes. */
        FOUND,
        /** Every different value is a class. */
        CLASSIFICATION,
        /** The values are numbers. */
        REGRESSION,
        /** The values are grades, whole numbers from 0, by which rows of a group are ranked. */
        RANKING,
        /** The values are numbers above 0, which may all be the same: how strongly it was so. */
        STRENGTH,
        /** The values are counts, or rates of them: numbers of 0 or more, whose rate is learnt. */
        COUNTS,
        /** There is no label: all columns are learnt from. */
        NONE;

        /** Whether the values are numbers. */
        public boolean isNumber() {
            return this != FOUND && this != CLASSIFICATION && this != NONE;
        }
    }

    /** The training samples that each worker takes. */
    public enum Placement {
        /** Any worker any sample: the order of an epoch does not depend on who is there. */
        EVERYWHERE,
        /** Each worker those of its own shards, as many as its share; few move when shares do. */
        SHARDS,
        /** The same, and each worker has shards of every class in proportion. */
        STRATA
    }

    /** How the validation samples are chosen. */
    public enum SplitKind {
        /** Every sample with the same chance. */
        RANDOM,
        /** The same share of every value of a column. */
        STRATIFIED,
        /** The last samples in file order; the way of text. */
        TAIL
    }

    /**
     * A split made here.
     *
     * @param kind how samples are chosen
     * @param validationFraction share of the samples kept for validation, 0 for none
     * @param by column of a stratified split; null for the label
     */
    public record SplitSpec(SplitKind kind, double validationFraction, @Nullable String by) {
        public SplitSpec {
            check(
                    validationFraction >= 0 && validationFraction < 1,
                    "data.split.validation=%s: a fraction from 0 to below 1",
                    validationFraction);
        }

        /** A tenth, at random. */
        public static SplitSpec defaults() {
            return new SplitSpec(SplitKind.RANDOM, 0.1, null);
        }
    }

    /** The treatment of a row that cannot be read. */
    public enum BadRows {
        /** Stop before training, with the row and column. */
        FAIL,
        /** Leave it out, and say how many were left out. */
        SKIP
    }

    /** Which part of a date comes first where its values leave that open, as 01/02/2024 does. */
    public enum Dates {
        /** What the values show, else the usual order of their separator. */
        FOUND,
        DAY_FIRST,
        MONTH_FIRST,
        YEAR_FIRST
    }

    /** How numbers and days of a table are brought to the size of 1. */
    public enum NumberScaling {
        /** By median and quartiles, far values smoothly bent to at most 3. */
        ROBUST,
        /** By mean and deviation, as far as they go. */
        STANDARD,
        /** Not at all. */
        NONE,
        /**
         * Not at all, and a missing number stays missing: for models that split on values. Others
         * would compute with what is no number.
         */
        RAW
    }

    /**
     * How a table becomes numbers.
     *
     * @param delimiter of CSV; null to find it
     * @param header whether CSV files begin with names; null to find it
     * @param decimal what stands before the decimals of CSV's numbers: a point or a comma. Null, as
     *     in the records of versions that had no such component, is a point
     * @param dates which part of a date comes first
     * @param missing texts that mean "no value"
     * @param drop columns to leave out
     * @param categorical columns that are categories although they look like numbers
     * @param numeric columns that are numbers although they look like categories or identifiers
     * @param oneHotLimit categories up to which a column is one-hot; above, it is embedded
     * @param badRows what happens to a row that cannot be read
     * @param scaling of numbers. Null, as in the records of versions that had no such component, is
     *     {@link NumberScaling#STANDARD}
     * @param terms values of categories that are told apart. Null, as in the records of versions
     *     that had no such component, is all
     * @param columns to learn from; empty, as in those records, for all that {@code drop} leaves
     */
    public record TableSpec(
            @Nullable String delimiter,
            @Nullable Boolean header,
            String decimal,
            Dates dates,
            List<String> missing,
            List<String> drop,
            List<String> categorical,
            List<String> numeric,
            int oneHotLimit,
            BadRows badRows,
            NumberScaling scaling,
            TermSpec terms,
            List<String> columns) {
        public TableSpec {
            terms = Objects.requireNonNullElse(terms, TermSpec.defaults());
            columns = columns == null ? List.of() : List.copyOf(columns);
            scaling = Objects.requireNonNullElse(scaling, NumberScaling.STANDARD);
            decimal = Objects.requireNonNullElse(decimal, ".");
            dates = Objects.requireNonNullElse(dates, Dates.FOUND);
            numeric = numeric == null ? List.of() : List.copyOf(numeric);
            check(
                    decimal.equals(".") || decimal.equals(","),
                    "data.table.decimal=%s: a point or a comma",
                    decimal);
            missing = List.copyOf(missing);
            drop = List.copyOf(drop);
            categorical = List.copyOf(categorical);
            for (String column : terms.columns()) {
                check(
                        !categorical.contains(column)
                                && !numeric.contains(column)
                                && !drop.contains(column),
                        "data.table.%s=%s: it is in data.table.categorical, numeric or drop, too",
                        terms.text().contains(column) ? "text" : "hashed",
                        column);
            }
            check(oneHotLimit >= 0, "data.table.one_hot_limit=%d: 0 or more", oneHotLimit);
            for (String column : drop) {
                check(
                        !columns.contains(column),
                        "data.table.drop=%s: it is among the columns to learn from, too",
                        column);
            }
            for (String column : numeric) {
                check(
                        !categorical.contains(column),
                        "data.table.numeric=%s: it is in data.table.categorical, too",
                        column);
            }
        }

        /** Without a word on dates, columns that are numbers, scaling and rare values. */
        public TableSpec(
                @Nullable String delimiter,
                @Nullable Boolean header,
                String decimal,
                List<String> missing,
                List<String> drop,
                List<String> categorical,
                int oneHotLimit,
                BadRows badRows) {
            this(
                    delimiter,
                    header,
                    decimal,
                    Dates.FOUND,
                    missing,
                    drop,
                    categorical,
                    List.of(),
                    oneHotLimit,
                    badRows,
                    NumberScaling.ROBUST,
                    TermSpec.defaults(),
                    List.of());
        }

        /** The same of columns whose types are known: of texts alone an empty one is missing. */
        public TableSpec typed(List<String> numbers, List<String> texts) {
            return new TableSpec(
                    ",",
                    true,
                    ".",
                    dates,
                    List.of(""),
                    drop,
                    texts,
                    numbers,
                    oneHotLimit,
                    BadRows.FAIL,
                    scaling,
                    terms,
                    columns);
        }

        /** The same with numbers scaled otherwise. */
        public TableSpec scaled(NumberScaling how) {
            return new TableSpec(
                    delimiter,
                    header,
                    decimal,
                    dates,
                    missing,
                    drop,
                    categorical,
                    numeric,
                    oneHotLimit,
                    badRows,
                    how,
                    terms,
                    columns);
        }

        /** The same for models that split on values: numbers raw, categories as codes. */
        public TableSpec forTrees() {
            return new TableSpec(
                    delimiter,
                    header,
                    decimal,
                    dates,
                    missing,
                    drop,
                    categorical,
                    numeric,
                    0,
                    badRows,
                    NumberScaling.RAW,
                    terms,
                    columns);
        }

        /** The same with other terms. */
        TableSpec with(TermSpec others) {
            return new TableSpec(
                    delimiter,
                    header,
                    decimal,
                    dates,
                    missing,
                    drop,
                    categorical,
                    numeric,
                    oneHotLimit,
                    badRows,
                    scaling,
                    others,
                    columns);
        }

        /** The same for a factorisation; see {@link DataSpec#forFactors}. */
        public TableSpec forFactors(FactorSpec factors) {
            List<String> named = factors.columns();
            List<String> categories = new ArrayList<>(categorical);
            named.stream().filter(column -> !categorical.contains(column)).forEach(categories::add);
            return new TableSpec(
                    delimiter,
                    header,
                    decimal,
                    dates,
                    missing,
                    drop,
                    categories,
                    numeric,
                    0,
                    badRows,
                    scaling,
                    terms,
                    named.isEmpty() || factors.sides() ? columns : named);
        }

        /** The same with rows that cannot be read left out. */
        public TableSpec skippingBadRows() {
            return new TableSpec(
                    delimiter,
                    header,
                    decimal,
                    dates,
                    missing,
                    drop,
                    categorical,
                    numeric,
                    oneHotLimit,
                    BadRows.SKIP,
                    scaling,
                    terms,
                    columns);
        }

        /** Finds everything by itself. */
        public static TableSpec defaults() {
            return new TableSpec(
                    null,
                    null,
                    ".",
                    List.of("", "?", "NA", "null"),
                    List.of(),
                    List.of(),
                    50,
                    BadRows.FAIL);
        }
    }

    /**
     * How images become numbers. Pixels are scaled to [0, 1] first.
     *
     * @param height pixels; 0 to keep that of the files
     * @param width pixels; 0 to keep that of the files
     * @param flip whether a training image is mirrored left to right half of the time
     * @param shift most pixels by which a training image is moved each way, zero-padded
     * @param normalise whether the training set's mean and deviation per channel are removed
     * @param jitter most by which brightness, contrast and saturation of a training image change,
     *     as a share of them; 0, as in the records of versions that had no such component, for none
     * @param cutout side of a square of a training image that is wiped out, in pixels; 0, as in
     *     those records, for none
     */
    public record ImageSpec(
            int height,
            int width,
            boolean flip,
            int shift,
            boolean normalise,
            @JsonSetter(nulls = Nulls.AS_EMPTY) double jitter,
            @JsonSetter(nulls = Nulls.AS_EMPTY) int cutout) {
        public ImageSpec {
            check(height >= 0 && width >= 0, "data.image: size %d x %d is negative", height, width);
            check(shift >= 0, "data.image.shift=%d: 0 or more pixels", shift);
            check(jitter >= 0 && jitter <= 1, "data.image.jitter=%s: from 0 to 1", jitter);
            check(cutout >= 0, "data.image.cutout=%d: 0 or more pixels", cutout);
        }

        /** With colours as they are, and nothing wiped out. */
        public ImageSpec(int height, int width, boolean flip, int shift, boolean normalise) {
            this(height, width, flip, shift, normalise, 0, 0);
        }

        /** As the files are. */
        public static ImageSpec defaults() {
            return new ImageSpec(0, 0, false, 0, false);
        }
    }

    /** The unit of a token of a text. */
    public enum TextUnit {
        /** 256 tokens; any file. */
        BYTES,
        /** The characters that occur in the training text. */
        CHARACTERS,
        /** Byte pairs that occur often in the training text, or a pretrained model's tokens. */
        BPE
    }

    /**
     * How a text is cut into samples: sample i of training is the window that begins at token
     * {@code i * stride}; validation windows do not overlap.
     *
     * @param unit of a token
     * @param context tokens of one window
     * @param stride tokens between the beginnings of training windows
     * @param include file name patterns to take from folders
     * @param vocabulary most tokens of byte pairs; 0, as in the records of versions that had no
     *     such component, for {@link #USUAL_VOCABULARY}
     * @param column of a table whose texts are the samples, one each; null for windows of a text
     */
    public record TextSpec(
            TextUnit unit,
            int context,
            int stride,
            List<String> include,
            @JsonSetter(nulls = Nulls.AS_EMPTY) int vocabulary,
            @Nullable String column) {
        /** Tokens of byte pairs where a job says no number. */
        public static final int USUAL_VOCABULARY = 8192;

        private static final int LEAST_VOCABULARY = 257;
        private static final int MOST_VOCABULARY = 1 << 20;

        public TextSpec {
            include = List.copyOf(include);
            vocabulary = vocabulary == 0 ? USUAL_VOCABULARY : vocabulary;
            check(
                    vocabulary >= LEAST_VOCABULARY && vocabulary <= MOST_VOCABULARY,
                    "data.text.vocabulary=%d: from %d, the bytes and one pair, to %d",
                    vocabulary,
                    LEAST_VOCABULARY,
                    MOST_VOCABULARY);
            check(context >= 2, "data.text.context=%d: at least 2 tokens", context);
            check(stride >= 1, "data.text.stride=%d: at least 1 token", stride);
        }

        /** With the usual number of byte pairs. */
        public TextSpec(TextUnit unit, int context, int stride, List<String> include) {
            this(unit, context, stride, include, USUAL_VOCABULARY, null);
        }

        /** Bytes, windows of 128. */
        public static TextSpec defaults() {
            return new TextSpec(TextUnit.BYTES, 128, 128, List.of("*"));
        }
    }

    /**
     * Limits of decoded data, per worker.
     *
     * @param memoryBytes decoded shards kept in memory
     * @param diskBytes decoded shards kept on disk, shared by the workers of a machine
     */
    public record CacheSpec(long memoryBytes, long diskBytes) {
        public CacheSpec {
            check(memoryBytes >= 0 && diskBytes >= 0, "data.cache: limits are 0 or more bytes");
        }

        /** Half a GiB in memory, 20 GiB on disk. */
        public static CacheSpec defaults() {
            return new CacheSpec(512L << 20, 20L << 30);
        }
    }
}
