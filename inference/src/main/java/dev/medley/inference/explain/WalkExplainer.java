package dev.medley.inference.explain;

import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Explains any model by drawing. A walk begins with a row of reference and puts the row's own
 * columns in, one after the other, in an order that is drawn; what the output changes by is the
 * column's (Strumbelj and Kononenko 2014). Each order is walked the other way round, too, which
 * takes out much of the noise (Mitchell et al. 2022), and every row of reference begins as many.
 *
 * <p>The draws follow from the row, so that the same row gets the same answer.
 */
final class WalkExplainer implements Explainer {
    /** Rows that a model computes at once. */
    private static final int MOST_AT_ONCE = 1024;

    /** Walks there and back, at the least. */
    private static final int PAIRS = 100;

    private final Function<Batch, HostArray> model;
    private final Target target;
    private final TableRows rows;
    private final List<double[][]> reference;

    /**
     * For a model.
     *
     * @param model outputs of a batch
     * @param reference at least one row
     */
    WalkExplainer(
            Function<Batch, HostArray> model,
            Target target,
            TableRows rows,
            List<double[][]> reference) {
        this.model = model;
        this.target = target;
        this.rows = rows;
        this.reference = List.copyOf(reference);
    }

    @Override
    public String method() {
        return "Shapley values by permutations in antithetic pairs";
    }

    @Override
    public boolean isExact() {
        return false;
    }

    @Override
    public String background() {
        return ReferenceSample.words(reference);
    }

    @Override
    public String scale() {
        return Explainer.scaleOf(target);
    }

    @Override
    public Explanation explain(double[][] row, ExplainedOutput output, BooleanSupplier isOver) {
        int columns = row.length;
        int pairs = reference.size() * ((PAIRS + reference.size() - 1) / reference.size());
        int atOnce = Math.max(1, MOST_AT_ONCE / (2 * (columns + 1)));
        Sums sums = new Sums(columns);
        RandomGenerator random = Seeds.generator(seed(row), output.index());
        int[] starts = shuffled(reference.size(), random);
        for (int from = 0; from < pairs; from += atOnce) {
            if (isOver.getAsBoolean()) {
                break;
            }
            int to = Math.min(pairs, from + atOnce);
            List<int[]> orders = new ArrayList<>();
            List<double[][]> some = new ArrayList<>();
            for (int pair = from; pair < to; pair++) {
                int[] order = shuffled(columns, random);
                orders.add(order);
                double[][] start = reference.get(starts[pair % starts.length]);
                walk(start, row, order, some);
                walk(start, row, reversed(order), some);
            }
            double[] outputs = outputs(some, output);
            for (int i = 0; i < orders.size(); i++) {
                sums.add(orders.get(i), outputs, 2 * i * (columns + 1));
            }
        }
        if (sums.pairs == 0) {
            throw new OverdueException();
        }
        return sums.explanation(sums.pairs == pairs);
    }

    private static void walk(double[][] start, double[][] end, int[] order, List<double[][]> to) {
        double[][] at = start.clone();
        to.add(at);
        for (int column : order) {
            at = at.clone();
            at[column] = end[column];
            to.add(at);
        }
    }

    private double[] outputs(List<double[][]> some, ExplainedOutput output) {
        double[] outputs = new double[some.size()];
        for (int from = 0; from < outputs.length; from += MOST_AT_ONCE) {
            int to = Math.min(outputs.length, from + MOST_AT_ONCE);
            HostArray found = model.apply(rows.batch(some.subList(from, to)));
            FloatBuffer floats = found.data().buffer().asFloatBuffer();
            int width = (int) found.count() / (to - from);
            for (int i = from; i < to; i++) {
                double value = floats.get((i - from) * width + output.index());
                outputs[i] = output.of(target.isRate() ? Math.log(value) : value);
            }
        }
        return outputs;
    }

    private static long seed(double[][] row) {
        long seed = 0;
        for (double[] cells : row) {
            seed = Seeds.of(seed, Arrays.hashCode(cells));
        }
        return seed;
    }

    /** After Fisher and Yates, in Durstenfeld's form. */
    private static int[] shuffled(int count, RandomGenerator random) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    private static int[] reversed(int[] order) {
        int[] back = new int[order.length];
        for (int i = 0; i < back.length; i++) {
            back[i] = order[order.length - 1 - i];
        }
        return back;
    }

    /** Sums over pairs of walks. */
    private static final class Sums {
        private final double[] sums;
        private final double[] squares;
        private double base;
        private double output;
        private int pairs;

        Sums(int columns) {
            sums = new double[columns];
            squares = new double[columns];
        }

        /** Outputs along a walk and the one back, which begin at {@code from}. */
        void add(int[] order, double[] outputs, int from) {
            int columns = order.length;
            int back = from + columns + 1;
            for (int i = 0; i < columns; i++) {
                double there = outputs[from + i + 1] - outputs[from + i];
                int fromEnd = columns - 1 - i; // When the way back comes to the same column.
                double other = outputs[back + fromEnd + 1] - outputs[back + fromEnd];
                double both = (there + other) / 2;
                sums[order[i]] += both;
                squares[order[i]] += both * both;
            }
            base += (outputs[from] + outputs[back]) / 2;
            output += (outputs[from + columns] + outputs[back + columns]) / 2;
            pairs++;
        }

        Explanation explanation(boolean isWhole) {
            List<Double> means = new ArrayList<>();
            List<Double> errors = new ArrayList<>();
            for (int c = 0; c < sums.length; c++) {
                double mean = sums[c] / pairs;
                double variance = Math.max(0, squares[c] / pairs - mean * mean);
                means.add(mean);
                errors.add(pairs < 2 ? Double.NaN : Math.sqrt(variance / (pairs - 1)));
            }
            return new Explanation(base / pairs, output / pairs, means, errors, 2 * pairs, isWhole);
        }
    }
}
