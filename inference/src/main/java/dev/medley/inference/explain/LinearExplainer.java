package dev.medley.inference.explain;

import dev.medley.base.job.Signature.Target;
import dev.medley.data.encoding.ColumnPlace;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.inference.model.Coefficients;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Explains linear models, exactly: a column adds what it adds to the sum less what it adds on
 * average to the rows of reference.
 */
final class LinearExplainer implements Explainer {
    private final TableRows rows;
    private final Target target;
    private final int plain;
    private final double[][] coefficients;
    private final double[] intercepts;

    /** Of each output and column, what it adds to the rows of reference on average. */
    private final double[][] means;

    private final String background;

    private LinearExplainer(
            TableRows rows,
            TableEncoding encoding,
            double[][] coefficients,
            double[] intercepts,
            List<double[][]> reference) {
        this.rows = rows;
        this.target = encoding.label().target();
        this.plain = encoding.plainCount();
        this.coefficients = coefficients;
        this.intercepts = intercepts;
        means = new double[intercepts.length][rows.names().size()];
        for (int output = 0; output < means.length; output++) {
            for (double[][] row : reference) {
                for (int c = 0; c < row.length; c++) {
                    means[output][c] += added(output, c, row[c]) / reference.size();
                }
            }
        }
        background = ReferenceSample.words(reference);
    }

    static LinearExplainer of(
            Coefficients of, TableEncoding encoding, TableRows rows, List<double[][]> reference) {
        int outputs = encoding.label().target().outputs();
        int features = of.rows().size() / outputs - 1; // An intercept is behind each output's.
        double[][] coefficients = new double[outputs][features];
        double[] intercepts = new double[outputs];
        for (int output = 0; output < outputs; output++) {
            int from = output * (features + 1);
            for (int f = 0; f < features; f++) {
                coefficients[output][f] = of.rows().get(from + f).coefficient();
            }
            intercepts[output] = of.rows().get(from + features).coefficient();
        }
        return new LinearExplainer(rows, encoding, coefficients, intercepts, reference);
    }

    @Override
    public String method() {
        return "linear Shapley values";
    }

    @Override
    public boolean isExact() {
        return true;
    }

    @Override
    public String background() {
        return background;
    }

    @Override
    public String scale() {
        return Explainer.scaleOf(target);
    }

    @Override
    public Explanation explain(double[][] row, ExplainedOutput output, BooleanSupplier isOver) {
        double base = intercepts[output.index()];
        double sum = base;
        double[] contributions = new double[row.length];
        for (int c = 0; c < row.length; c++) {
            double added = added(output.index(), c, row[c]);
            double mean = means[output.index()][c];
            contributions[c] = output.of(added - mean);
            base += mean;
            sum += added;
        }
        return Explanation.exact(output.of(base), output.of(sum), contributions);
    }

    /** What a column adds to an output. */
    private double added(int output, int column, double[] cells) {
        ColumnPlace place = rows.places().get(column);
        double sum = 0;
        if (place.width() > 0 && rows.signature().inputs().get(place.input()).isTerms()) {
            for (int i = 0; i < cells.length; i += 2) { // Pairs of a feature and its value.
                sum += coefficients[output][plain + (int) cells[i]] * cells[i + 1];
            }
            return sum;
        }
        for (int i = 0; i < cells.length; i++) {
            sum += coefficients[output][place.from() + i] * cells[i];
        }
        return sum;
    }
}
