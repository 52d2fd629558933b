package dev.medley.data.encoding;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.medley.base.job.Signature;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of the column to predict.
 *
 * @param column its name in the files
 * @param classes its values in index order, each as the files have it; empty when a number is
 *     predicted
 * @param source how texts write a number; models of versions that had no such component read NUMBER
 * @param mean of a number over the training rows
 * @param deviation of a number over the training rows
 * @param group the column whose values say which rows are ranked together, by the grade that the
 *     label is; null where none are
 * @param counts whether the numbers count events; not so in models of versions that had no such
 *     component
 */
public record LabelEncoding(
        String column,
        List<String> classes,
        ColumnEncoding.Source source,
        double mean,
        double deviation,
        @Nullable String group,
        @JsonSetter(nulls = Nulls.AS_EMPTY) boolean counts) {
    /** Rows without a label. */
    public static final LabelEncoding NONE = ofClasses("", List.of());

    public LabelEncoding {
        classes = List.copyOf(classes);
        source = Objects.requireNonNullElse(source, ColumnEncoding.Source.NUMBER);
    }

    /** One of these classes. */
    public static LabelEncoding ofClasses(String column, List<String> classes) {
        return new LabelEncoding(column, classes, ColumnEncoding.Source.NUMBER, 0, 1, null, false);
    }

    /** A number. */
    public static LabelEncoding ofNumber(
            String column, ColumnEncoding.Source source, double mean, double deviation) {
        return new LabelEncoding(column, List.of(), source, mean, deviation, null, false);
    }

    /** A grade, by which rows are ranked among those with the same value of {@code group}. */
    public static LabelEncoding ofGrade(String column, ColumnEncoding.Source source, String group) {
        return new LabelEncoding(column, List.of(), source, 0, 1, group, false);
    }

    /** The same number, as one that counts events. */
    public LabelEncoding ofCounts() {
        return new LabelEncoding(column, List.of(), source, mean, deviation, null, true);
    }

    /** Whether there is no such column. */
    @JsonIgnore
    public boolean isNone() {
        return column.isEmpty();
    }

    /** The column, or nothing where there is none. */
    public List<String> columns() {
        return isNone() ? List.of() : List.of(column);
    }

    /** What a model is asked for. */
    public Signature.Target target() {
        if (group != null) {
            return Targets.ofGrade();
        } else if (counts) {
            return Targets.ofRate(mean, deviation);
        } else if (isNone()) {
            return Targets.none();
        }
        return classes.isEmpty() ? Targets.ofValue(mean, deviation) : Targets.ofClasses(classes);
    }
}
