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

    /** Values that the rows at once have: a pair of walks has columns times columns of them. */
    private static final int MOST_VALUES = 1 << 20;

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
            int to = Math.min(pairs, from + atOnce);
            List<Walk> walks = new ArrayList<>();
            for (int pair = from; pair < to; pair++) {
                int[] order = shuffled(columns, random);
                double[][] start = reference.get(starts[pair % starts.length]);
                walks.add(new Walk(start, order));
                walks.add(new Walk(start, reversed(order)));
            }
            double[] outputs = outputs(walks, row, output, isOver);
            if (outputs.length == 0) {
                break;
            }
            for (int i = 0; i < walks.size(); i += 2) {
                sums.add(walks.get(i).order(), outputs, i * (columns + 1));
            }
        }
        if (sums.pairs == 0) {
            throw new OverdueException();
        }
        return sums.explanation(sums.pairs == pairs);
    }

    /** From a row of reference, by columns of the row that is explained, in that order. */
    private record Walk(double[][] start, int[] order) {}

    /**
     * Outputs along the walks, one behind the other; none where the time is over. Only as many rows
     * are there at a time as are computed at once.
     */
    private double[] outputs(
            List<Walk> walks, double[][] row, ExplainedOutput output, BooleanSupplier isOver) {
        int steps = row.length + 1;
        double[] outputs = new double[walks.size() * steps];
        int most = rowsAtOnce(row);
        double[][] at = row;
        for (int from = 0; from < outputs.length; from += most) {
            if (isOver.getAsBoolean()) {
                return new double[0];
            }
            int to = Math.min(outputs.length, from + most);
            List<double[][]> some = new ArrayList<>(to - from);
            for (int i = from; i < to; i++) {
                Walk walk = walks.get(i / steps);
                int step = i % steps;
                at = step == 0 ? walk.start() : at.clone();
                if (step > 0) {
                    int column = walk.order()[step - 1];
                    at[column] = row[column];
                }
                some.add(at);
            }
            compute(some, output, outputs, from);
        }
        return outputs;
    }

    /** So many that all their values are no more than there is room for. */
    static int rowsAtOnce(double[][] row) {
        long values = row.length;
        for (double[] cells : row) {
            values += cells.length;
        }
        return (int) Math.max(1, Math.min(MOST_AT_ONCE, MOST_VALUES / Math.max(1, values)));
    }

    private void compute(
            List<double[][]> some, ExplainedOutput output, double[] outputs, int from) {
        HostArray found = model.apply(rows.batch(some));
        FloatBuffer floats = found.data().buffer().asFloatBuffer();
        int width = (int) found.count() / some.size();
        for (int i = 0; i < some.size(); i++) {
            double value = floats.get(i * width + output.index());
            outputs[from + i] = output.of(target.isRate() ? logOfRate(value) : value);
        }
    }

    /** A rate that is too small or too large for its 32 bits is the last one that is not. */
    static double logOfRate(double rate) {
        return Math.log(Math.max(Float.MIN_VALUE, Math.min(Float.MAX_VALUE, rate)));
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
