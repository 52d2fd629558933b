package dev.medley.data.dataset;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.TextEncoding;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Checks that a job which continues a trained model asks for the encoding that this model has. An
 * option that was not set asks for its default; what a default leaves open, the model decides.
 */
final class Agreement {
    private Agreement() {}

    /** A {@link ConfigException} names the first option that asks for something else. */
    static void require(DataSpec spec, Encoding encoding) {
        if (encoding instanceof TableEncoding table) {
            require(spec, table);
        } else if (encoding instanceof ImageEncoding image) {
            require(spec.image(), image);
        } else if (encoding instanceof SequenceEncoding sequence && spec.series() != null) {
            require(spec, spec.series(), sequence);
        } else if (encoding instanceof SeriesEncoding series && spec.series() != null) {
            require(spec.series(), series);
        } else if (encoding instanceof LabelledTextEncoding texts) {
            String column = spec.text().column();
            if (column != null) {
                same("data.text.column", column, texts.column());
            }
            same("data.text.context", spec.text().context(), texts.context());
        } else if (encoding instanceof TextEncoding text) {
            same("data.text.unit", spec.text().unit(), text.unit());
            same("data.text.context", spec.text().context(), text.context());
        }
    }

    private static void require(DataSpec spec, TableEncoding encoding) {
        TableSpec table = spec.table();
        if (spec.label() != null) {
            same("data.label", spec.label(), encoding.label().column());
        }
        if (!Set.copyOf(table.missing()).equals(Set.copyOf(encoding.missing()))) {
            same("data.table.missing", table.missing(), encoding.missing());
        }
        boolean hasClasses = !encoding.label().classes().isEmpty();
        String label = encoding.label().column();
        if (table.categorical().contains(label)) {
            agree(hasClasses, "data.table.categorical", label, "it as a number");
        }
        if (table.numeric().contains(label)) {
            agree(!hasClasses, "data.table.numeric", label, "it as a class");
        }
        boolean isGiven = spec.task() == Task.STRENGTH && !hasClasses;
        if (spec.task() != Task.FOUND && !isGiven) {
            same("data.task", spec.task(), task(encoding.label()));
        }
        encoding.columns().forEach(column -> require(table, column));
        if (table.scaling() != NumberScaling.ROBUST && !encoding.dense().isEmpty()) {
            same("data.table.scaling", table.scaling(), scaling(encoding));
        }
    }

    private static Task task(LabelEncoding label) {
        if (label.group() != null) {
            return Task.RANKING;
        } else if (label.counts()) {
            return Task.COUNTS;
        } else if (label.isNone()) {
            return Task.NONE;
        }
        return label.classes().isEmpty() ? Task.REGRESSION : Task.CLASSIFICATION;
    }

    private static NumberScaling scaling(TableEncoding encoding) {
        if (encoding.keepsMissing()) {
            return NumberScaling.RAW;
        }
        List<Scaling> all = encoding.dense().stream().map(Dense::scaling).toList();
        return all.stream().anyMatch(s -> s.clip() > 0)
                ? NumberScaling.ROBUST
                : all.stream().allMatch(Scaling.NONE::equals)
                        ? NumberScaling.NONE
                        : NumberScaling.STANDARD;
    }

    private static void require(TableSpec table, ColumnEncoding column) {
        agree(!table.drop().contains(column.name()), "data.table.drop", column.name(), "it");
        if (column instanceof Category category) {
            int values = category.values().size();
            boolean isNumber = table.numeric().contains(column.name());
            agree(!isNumber, "data.table.numeric", column.name(), "it as a category");
            agree(
                    category.embedded() == values > table.oneHotLimit(),
                    "data.table.one_hot_limit",
                    table.oneHotLimit(),
                    "the %d values of '%s' %s"
                            .formatted(
                                    values,
                                    column.name(),
                                    category.embedded() ? "embedded" : "one-hot"));
        } else if (column instanceof SparseColumn) {
            boolean named = table.categorical().contains(column.name());
            agree(!named, "data.table.categorical", column.name(), "it term by term");
        } else {
            boolean named = table.categorical().contains(column.name());
            agree(!named, "data.table.categorical", column.name(), "it as a number");
        }
    }

    private static void require(DataSpec data, SeriesSpec spec, SequenceEncoding encoding) {
        same("data.label", "" + data.label(), encoding.label().column());
        same("data.series.time", spec.time(), encoding.time());
        same("data.series.by", spec.by(), encoding.by());
        if (!spec.targets().isEmpty()) {
            sameColumns("data.series.columns", spec.targets(), encoding.seen());
        }
        same("data.series.look_back", spec.lookBack(), encoding.rows());
    }

    /** In any order: categories stand behind numbers. */
    private static void sameColumns(String key, List<String> wanted, List<String> read) {
        if (!Set.copyOf(wanted).equals(Set.copyOf(read))) {
            same(key, wanted, read);
        }
    }

    private static void require(SeriesSpec spec, SeriesEncoding encoding) {
        same("data.series.time", spec.time(), encoding.time());
        same("data.series.by", spec.by(), encoding.by());
        if (!spec.targets().isEmpty()) {
            same("data.series.targets", spec.targets(), encoding.targets());
        }
        sameColumns("data.series.known", spec.known(), encoding.aheadColumns());
        same("data.series.look_back", spec.lookBack(), encoding.lookBack());
        same("data.series.horizon", spec.horizon(), encoding.horizon());
    }

    private static void require(ImageSpec spec, ImageEncoding encoding) {
        if (spec.height() > 0) {
            same("data.image.height", spec.height(), encoding.height());
        }
        if (spec.width() > 0) {
            same("data.image.width", spec.width(), encoding.width());
        }
        boolean isNormalised =
                !encoding.mean().equals(Collections.nCopies(encoding.channels(), 0.0))
                        || !encoding.deviation()
                                .equals(Collections.nCopies(encoding.channels(), 1.0));
        same("data.image.normalise", spec.normalise(), isNormalised);
    }

    private static void same(String option, Object asked, Object trained) {
        agree(asked.equals(trained), option, asked, option + "=" + trained);
    }

    private static void agree(boolean agrees, String option, Object asked, String trained) {
        ConfigException.check(
                agrees,
                "%s=%s, but the initial model was trained with %s, and its encoding goes with its"
                        + " parameters: set the option as the model has it, or train without"
                        + " an initial model",
                option,
                asked,
                trained);
    }
}
