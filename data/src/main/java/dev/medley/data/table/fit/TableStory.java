package dev.medley.data.table.fit;

import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.TableEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Collects what was found in a table and done with it, in sentences for the user. */
public final class TableStory {
    private static final int MOST_NAMES = 12;
    private static final int MANY_CLASSES = 100;
    private static final double MANY_CLASSES_SHARE = 0.1;

    /** As many are no surprise in a table of any size. */
    private static final int FEW_CLASSES = 10;

    /** Numbers to learn are kept with 24 bits: larger steps against their deviation are errors. */
    private static final double COARSE = 0.01;

    private final List<String> sentences = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> rare = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** Notes a sentence; see {@link String#format}. */
    public void say(String format, Object... values) {
        say(String.format(Locale.ROOT, format, values));
    }

    /** Notes a sentence for the user. */
    public void say(String sentence) {
        sentences.add(sentence);
    }

    /** A column that is not used. */
    public void dropped(String column, String why) {
        sentences.add("column '" + column + "' is left out: " + why);
    }

    /** A column with training rows that have no value. */
    void missing(String column, long rows) {
        if (rows > 0) {
            missing.add(String.format(Locale.ROOT, "%s (%,d)", column, rows));
        }
    }

    /** A category whose rare values are one; {@code counts} are its rows without and by value. */
    void rare(Category category, long[] counts, long trainRows) {
        if (category.rare() > 0) {
            long values = Arrays.stream(counts, 1, counts.length).filter(n -> n > 0).count();
            rare.add(
                    String.format(
                            Locale.ROOT,
                            "%s (%,d values in %,d rows)",
                            category.name(),
                            values - category.values().size(),
                            Math.round(category.rare() * trainRows)));
        }
    }

    /** What is predicted. */
    public void label(LabelEncoding label, TableFit fit) {
        if (label.isNone()) {
            return;
        }
        NumberStats values = fit.labelValues();
        if (label.group() != null) {
            say(
                    "label '%s': a grade from %.0f to %.0f",
                    label.column(), values.least(), values.most());
            return;
        } else if (label.counts()) {
            say(
                    "label '%s': counts from %.6g to %.6g, of which the rate is learnt; their mean"
                            + " is %.6g",
                    label.column(), values.least(), values.most(), label.mean());
            return;
        } else if (label.classes().isEmpty()) {
            say(
                    "label '%s': a number from %.6g to %.6g, learnt as (x - %.6g) / %.6g",
                    label.column(), values.least(), values.most(), label.mean(), label.deviation());
            double step = Math.ulp((float) Math.max(Math.abs(values.least()), values.most()));
            if (step > COARSE * label.deviation()) {
                warnings.add(
                        String.format(
                                Locale.ROOT,
                                "label '%s': numbers as large as %.6g are kept in steps of %.3g,"
                                    + " and these differ by %.3g on average: take a fixed number"
                                    + " off all of them, as %.6g",
                                label.column(),
                                values.most(),
                                step,
                                label.deviation(),
                                values.least()));
            }
            return;
        }
        classes(label, fit.classCounts());
        if (fit.hasTextLabel()) {
            manyClasses(label, fit.trainRows());
        } else if (label.classes().size() > 2) {
            say(
                    "label '%s': its %d whole numbers are taken for classes; set data.task:"
                            + " regression to predict a number",
                    label.column(), label.classes().size());
        }
    }

    /** Texts of which hardly two rows have the same are names of the rows, not classes of them. */
    private void manyClasses(LabelEncoding label, long trainRows) {
        int classes = label.classes().size();
        if (classes > MANY_CLASSES
                || (classes > FEW_CLASSES && classes > MANY_CLASSES_SHARE * trainRows)) {
            say(
                    "label '%s' has %,d classes in %,d training rows: a column like an identifier"
                            + " cannot be learnt; is another one meant?",
                    label.column(), classes, trainRows);
        }
    }

    /** What is predicted where the encoding was given. */
    public void label(LabelEncoding label, List<Long> classCounts) {
        if (label.isNone()) {
            return;
        }
        if (label.group() != null) {
            say("label '%s': a grade", label.column());
        } else if (label.classes().isEmpty()) {
            say("label '%s': a number", label.column());
        } else {
            classes(label, classCounts);
        }
    }

    private void classes(LabelEncoding label, List<Long> trainRows) {
        List<String> counts = new ArrayList<>();
        for (int i = 0; i < label.classes().size(); i++) {
            counts.add(
                    String.format(
                            Locale.ROOT, "%s (%,d)", label.classes().get(i), trainRows.get(i)));
        }
        say("label '%s': %d classes, %s", label.column(), counts.size(), shortened(counts));
    }

    /** How columns become features. */
    public void encoded(TableEncoding encoding) {
        List<String> numbers = names(encoding, ColumnEncoding.Numeric.class);
        List<String> moments = names(encoding, ColumnEncoding.Moment.class);
        if (!numbers.isEmpty()) {
            sentences.add(scaled(encoding) + shortened(numbers));
        }
        if (!moments.isEmpty()) {
            sentences.add("dates as day, season and weekday: " + shortened(moments));
        }
        if (!encoding.oneHot().isEmpty()) {
            sentences.add("one-hot: " + categories(encoding.oneHot()));
        }
        if (!encoding.embedded().isEmpty()) {
            String how = encoding.keepsMissing() ? "as codes: " : "embedded: ";
            sentences.add(how + categories(encoding.embedded()));
        }
        if (!rare.isEmpty()) {
            sentences.add(
                    "rare values are one category, which unseen values join: " + shortened(rare));
        }
        if (!missing.isEmpty()) {
            sentences.add(
                    "missing in training rows: "
                            + shortened(missing)
                            + (encoding.keepsMissing()
                                    ? "; they stay missing"
                                    : "; numbers take what is scaled to 0, and an indicator,"
                                            + " categories one of their own"));
        }
        if (encoding.label().group() != null) {
            sentences.add(
                    "rows are ranked among those with the same value of column '"
                            + encoding.label().group()
                            + "'");
        }
        if (encoding.weight() != null) {
            sentences.add("rows count what column '" + encoding.weight().column() + "' says");
        }
        say(
                "%d features%s",
                encoding.plainCount() + encoding.termCount(),
                encoding.embedded().isEmpty()
                        ? ""
                        : " and %d %s columns"
                                .formatted(
                                        encoding.embedded().size(),
                                        encoding.keepsMissing() ? "coded" : "embedded"));
    }

    private static String scaled(TableEncoding encoding) {
        List<Scaling> all = encoding.dense().stream().map(Dense::scaling).toList();
        return all.stream().anyMatch(s -> s.clip() > 0)
                ? "scaled by median and quartiles: "
                : all.stream().allMatch(Scaling.NONE::equals)
                        ? "numbers as they are: "
                        : "standardised: ";
    }

    /** What was noted, in its order. */
    public List<String> sentences() {
        return List.copyOf(sentences);
    }

    /** What may make numbers wrong, and what to do. */
    public void warn(List<String> more) {
        warnings.addAll(more);
    }

    /** Of what was noted, what the user should look at. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    private static List<String> names(TableEncoding encoding, Class<?> type) {
        return encoding.columns().stream()
                .filter(type::isInstance)
                .map(ColumnEncoding::name)
                .toList();
    }

    private static String categories(List<Category> categories) {
        return shortened(
                categories.stream().map(c -> c.name() + " (" + c.values().size() + ")").toList());
    }

    private static String shortened(List<String> names) {
        return names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "))
                + (names.size() > MOST_NAMES
                        ? " and " + (names.size() - MOST_NAMES) + " more"
                        : "");
    }
}
