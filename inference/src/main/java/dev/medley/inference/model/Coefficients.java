package dev.medley.inference.model;

import dev.medley.base.evaluation.LargestCoefficients;
import dev.medley.base.evaluation.LargestCoefficients.Coefficient;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the coefficients of a linear model by the names of columns and categories. They are those
 * of features as the model reads them: scaled numbers, and 1 for a row's own category. Of a number
 * that is predicted they are in its own units; of a rate they add to its logarithm.
 *
 * @param rows in the order of features, the intercept last, class by class
 */
public record Coefficients(List<Row> rows) {
    private static final String INTERCEPT = "(intercept)";
    private static final int MOST_SHOWN = 20;

    /** Of more coefficients only those are written that are not 0: most hashes have no value. */
    private static final int MOST_ZEROS = 100_000;

    /**
     * One coefficient.
     *
     * @param output the class whose score it counts for; empty where there is one score
     * @param standardError of an unpenalised fit; null where nothing is known, NaN where the
     *     coefficient cannot be told apart from others and was held at 0
     */
    public record Row(
            String output, String feature, double coefficient, @Nullable Double standardError) {
        /** The coefficient over its standard error; null where there is none. */
        public @Nullable Double z() {
            Double error = standardError;
            return error == null || error.isNaN() ? null : coefficient / error;
        }

        /** How likely a value as far from 0 is by chance alone; null where nobody knows. */
        public @Nullable Double p() {
            Double z = z();
            return z == null ? null : twoSided(Math.abs(z));
        }
    }

    public Coefficients {
        rows = List.copyOf(rows);
    }

    /** Of a model; empty unless it is linear over features that have names. */
    public static Optional<Coefficients> of(
            ModelSpec model, Encoding encoding, Supplier<List<NamedSpan>> weights) {
        boolean isNamed =
                model instanceof ModelSpec.Linear
                        && encoding instanceof TableEncoding table
                        && table.embedded().isEmpty();
        return isNamed
                ? Optional.of(of((TableEncoding) encoding, weights.get()))
                : Optional.empty();
    }

    private static Coefficients of(TableEncoding encoding, List<NamedSpan> weights) {
        Target target = encoding.label().target();
        double[] weight = array(weights, "0.weight");
        double[] bias = array(weights, "0.bias");
        double[] weightErrors = array(weights, "0.weight.standard_error");
        double[] biasErrors = array(weights, "0.bias.standard_error");
        boolean isNumber = target.kind() == TargetKind.VALUE && !target.isRate();
        double unit = isNumber ? target.deviation() : 1;
        List<String> features = encoding.featureNames();
        List<Row> rows = new ArrayList<>();
        for (int output = 0; output < target.outputs(); output++) {
            String name = target.outputs() > 1 ? target.labels().get(output) : "";
            for (int f = 0; f < features.size(); f++) {
                int at = output * features.size() + f;
                rows.add(row(name, features.get(f), weight[at] * unit, weightErrors, at, unit));
            }
            double shift = isNumber ? target.mean() : target.isRate() ? Math.log(target.mean()) : 0;
            rows.add(row(name, INTERCEPT, bias[output] * unit + shift, biasErrors, output, unit));
        }
        return new Coefficients(rows);
    }

    private static Row row(
            String output, String feature, double value, double[] errors, int at, double unit) {
        return new Row(output, feature, value, errors.length == 0 ? null : errors[at] * unit);
    }

    private static double[] array(List<NamedSpan> weights, String name) {
        for (NamedSpan array : weights) {
            if (array.name().equals(name)) {
                boolean isDouble = array.type() == ElementType.FLOAT64;
                var bytes = array.data().buffer();
                double[] values = new double[bytes.remaining() / array.type().bytes()];
                for (int i = 0; i < values.length; i++) {
                    values[i] =
                            isDouble ? bytes.asDoubleBuffer().get(i) : bytes.asFloatBuffer().get(i);
                }
                return values;
            }
        }
        return new double[0];
    }

    /** The part of a report that shows those furthest from 0. */
    public LargestCoefficients largest() {
        List<Row> weights = rows.stream().filter(row -> !row.feature().equals(INTERCEPT)).toList();
        long zeros = weights.stream().filter(row -> row.coefficient() == 0).count();
        return new LargestCoefficients(
                weights.size(),
                zeros,
                weights.stream()
                        .filter(row -> row.coefficient() != 0)
                        .sorted(Comparator.comparingDouble(row -> -Math.abs(row.coefficient())))
                        .limit(MOST_SHOWN)
                        .map(
                                row ->
                                        new Coefficient(
                                                row.output(),
                                                row.feature(),
                                                row.coefficient(),
                                                row.standardError(),
                                                row.p()))
                        .toList());
    }

    /** As a CSV file with a line of names; of many, those that are 0 are left out. */
    public String csv() {
        StringBuilder text = new StringBuilder("class,feature,coefficient,standard_error,z,p\n");
        for (Row row : rows) {
            if (rows.size() > MOST_ZEROS && row.coefficient() == 0) {
                continue;
            }
            text.append(quoted(row.output())).append(',').append(quoted(row.feature()));
            text.append(number(row.coefficient()));
            text.append(number(row.standardError())).append(number(row.z()));
            text.append(number(row.p(), "%.6g")).append('\n');
        }
        return text.toString();
    }

    /** A text as CSV has it. */
    static String quoted(String text) {
        boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n');
        return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    private static String number(@Nullable Double value) {
        return number(value, "%.8g");
    }

    private static String number(@Nullable Double value, String form) {
        boolean isKnown = value != null && !value.isNaN();
        return isKnown ? "," + String.format(Locale.ROOT, form, value) : ",";
    }

    /**
     * The share of a standard normal distribution beyond z on both sides, to 1.2e-7 of itself
     * (Chebyshev's fit of the complementary error function: Press et al., Numerical Recipes, 6.2).
     */
    static double twoSided(double z) {
        double x = z / Math.sqrt(2);
        double t = 1 / (1 + x / 2);
        double[] fit = {
            0.17087277,
            -0.82215223,
            1.48851587,
            -1.13520398,
            0.27886807,
            -0.18628806,
            0.09678418,
            0.37409196,
            1.00002368,
            -1.26551223
        };
        double sum = 0;
        for (double c : fit) {
            sum = sum * t + c;
        }
        return t * Math.exp(-x * x + sum);
    }
}
