package dev.medley.api;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.SeriesSpec;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes the data to train on. It is immutable, and read when training starts.
 *
 * <pre>{@code
 * Dataset adult = Dataset.table(Path.of("adult.csv")).label("income").stratifiedSplit(0.1);
 * }</pre>
 */
public final class Dataset {
    private final DataSpec spec;

    private Dataset(DataSpec spec) {
        this.spec = spec;
    }

    /** A dataset of this description. */
    public static Dataset of(DataSpec spec) {
        return new Dataset(spec);
    }

    /** CSV, Parquet or JSON lines, by the file's name. */
    public static Dataset table(Path file) {
        return of(file, DataFormat.AUTO, SplitSpec.defaults(), TextSpec.defaults());
    }

    /** The same by a path, or by {@code s3://BUCKET/KEY} in an object store. */
    public static Dataset table(String place) {
        return of(place, DataFormat.AUTO, SplitSpec.defaults(), TextSpec.defaults());
    }

    /** A folder with IDX files, or with one folder of PNG and JPEG files a class. */
    public static Dataset images(Path folder) {
        return of(folder, DataFormat.AUTO, SplitSpec.defaults(), TextSpec.defaults());
    }

    /** A text file or a folder of them, cut into windows of {@code context} characters. */
    public static Dataset characters(Path text, int context) {
        return text(text, new TextSpec(TextUnit.CHARACTERS, context, context, List.of("*")));
    }

    /** A file or a folder of files, cut into windows of {@code context} bytes. */
    public static Dataset bytes(Path text, int context) {
        return text(text, new TextSpec(TextUnit.BYTES, context, context, List.of("*")));
    }

    /** A user's own source. */
    public static Dataset custom(ClassSpec source) {
        return new Dataset(
                new DataSpec(
                        DataFormat.CUSTOM,
                        List.of(),
                        List.of(),
                        null,
                        SplitSpec.defaults(),
                        TableSpec.defaults(),
                        ImageSpec.defaults(),
                        TextSpec.defaults(),
                        CacheSpec.defaults(),
                        2,
                        source));
    }

    /** The same with this column to predict. */
    public Dataset label(String column) {
        return with(spec.validation(), column, spec.split(), spec.image(), spec.weight());
    }

    /**
     * The same with this column of a table as what each row counts, in the loss and in all metrics:
     * numbers of at least 0, not all of them 0.
     */
    public Dataset weight(String column) {
        return with(spec.validation(), spec.label(), spec.split(), spec.image(), column);
    }

    /**
     * The same table, whose rows are to be ranked among those with the same value of this column;
     * such rows lie together. The label is their grade: a whole number from 0 to 31.
     */
    public Dataset ranked(String group) {
        return new Dataset(spec.rankedBy(group));
    }

    /** The same, judged by the samples in this file. */
    public Dataset validation(Path file) {
        List<String> files = List.of(file.toString());
        return with(files, spec.label(), spec.split(), spec.image(), spec.weight());
    }

    /** The same, judged by a random fraction of the samples. */
    public Dataset randomSplit(double validationFraction) {
        return with(new SplitSpec(SplitKind.RANDOM, validationFraction, null));
    }

    /** The same, judged by an equal fraction of every class. */
    public Dataset stratifiedSplit(double validationFraction) {
        return with(new SplitSpec(SplitKind.STRATIFIED, validationFraction, null));
    }

    /** A table cut into windows over time, which are judged as {@code series} says. */
    public static Dataset series(Path table, SeriesSpec series) {
        DataSpec plain =
                of(table, DataFormat.AUTO, SplitSpec.defaults(), TextSpec.defaults()).spec();
        return new Dataset(
                new DataSpec(
                        plain.format(),
                        plain.train(),
                        plain.validation(),
                        null,
                        plain.split(),
                        plain.table(),
                        plain.image(),
                        plain.text(),
                        plain.cache(),
                        plain.prefetchBatches(),
                        null,
                        plain.placement(),
                        plain.task(),
                        null,
                        series,
                        null));
    }

    /** The same with images treated like this. */
    public Dataset images(ImageSpec image) {
        return with(spec.validation(), spec.label(), spec.split(), image, spec.weight());
    }

    /** The description. */
    public DataSpec spec() {
        return spec;
    }

    /**
     * A text file or a folder of them, cut into windows of {@code context} tokens: byte pairs that
     * occur often in it, {@code vocabulary} tokens at most.
     */
    public static Dataset bytePairs(Path text, int context, int vocabulary) {
        return text(
                text, new TextSpec(TextUnit.BPE, context, context, List.of("*"), vocabulary, null));
    }

    private static Dataset text(Path text, TextSpec windows) {
        return of(text, DataFormat.TEXT, new SplitSpec(SplitKind.TAIL, 0.1, null), windows);
    }

    private static Dataset of(Path file, DataFormat format, SplitSpec split, TextSpec text) {
        return of(file.toString(), format, split, text);
    }

    private static Dataset of(String place, DataFormat format, SplitSpec split, TextSpec text) {
        return new Dataset(
                new DataSpec(
                        format,
                        List.of(place),
                        List.of(),
                        null,
                        split,
                        TableSpec.defaults(),
                        ImageSpec.defaults(),
                        text,
                        CacheSpec.defaults(),
                        2,
                        null));
    }

    private Dataset with(SplitSpec split) {
        return with(spec.validation(), spec.label(), split, spec.image(), spec.weight());
    }

    private Dataset with(
            List<String> validation,
            @Nullable String label,
            SplitSpec split,
            ImageSpec image,
            @Nullable String weight) {
        return new Dataset(
                new DataSpec(
                        spec.format(),
                        spec.train(),
                        validation,
                        label,
                        split,
                        spec.table(),
                        image,
                        spec.text(),
                        spec.cache(),
                        spec.prefetchBatches(),
                        spec.custom(),
                        spec.placement(),
                        spec.task(),
                        weight,
                        spec.series(),
                        spec.group()));
    }
}
