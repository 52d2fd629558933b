package dev.medley.tensor.factor;

import dev.medley.base.job.Signature.Target;
import dev.medley.base.model.FactorSpec;

/**
 * Solves one row after the other from its ratings and the rows of the other side. What is solved is
 * in {@link AlternatingSolver}. Ratings may come in pieces, in file order; a row costs as many
 * operations as they come, and the same bits.
 */
final class RowSolver {
    private final FactorSpec spec;
    private final Target target;
    private final int codes;
    private final int stride;
    private final int first;
    private final NormalEquations equations;
    private final float[] row;
    private final double[] z;
    private double[] gram = {};
    private PartnerRows partners = (code, into) -> {};
    private int others;

    // Of the row under way.
    private double[] x = {};
    private double counted;
    private double lossSum;
    private int[] passes = {};
    private int pass;

    /**
     * For rows of so many numbers.
     *
     * @param codes of the side that has most
     */
    RowSolver(FactorSpec spec, Target target, int codes, int stride) {
        this.spec = spec;
        this.target = target;
        this.codes = codes;
        this.stride = stride;
        first = spec.isImplicit() ? 1 : 0; // Implicit feedback has no biases.
        equations = new NormalEquations(stride - first);
        row = new float[stride];
        z = new double[stride - first];
    }

    /** Numbers of a row. */
    int stride() {
        return stride;
    }

    /** Numbers of a sum of {@link #gram}. */
    int gramNumbers() {
        return z.length * z.length;
    }

    /**
     * Adds the outer products of rows, one code after the other, to a sum of them, of which the
     * lower triangle counts.
     *
     * @param before what was summed before; empty for nothing
     */
    double[] gram(double[] before, PartnerRows rows, int from, int end) {
        equations.begin();
        if (before.length > 0) {
            equations.begin(before);
        }
        partners = rows;
        for (int code = from; code < end; code++) {
            read(code);
            equations.add(z, 1, 0);
        }
        return equations.gathered();
    }

    /**
     * The other side is as it is now.
     *
     * @param sum of all its codes' outer products, where they count
     * @param codesOfOthers how many it has
     */
    void begin(double[] sum, int codesOfOthers) {
        gram = sum;
        others = codesOfOthers;
    }

    /** Rows of the other side are read there from now on. */
    void readFrom(PartnerRows rows) {
        partners = rows;
    }

    /** A row begins. */
    void open() {
        if (spec.isImplicit()) {
            equations.begin(gram);
            passOver();
            counted = others - 1;
        } else {
            equations.begin();
        }
    }

    /** Adds some of its ratings. */
    void gather(SideRatings mine, int from, int to) {
        for (int i = from; i < to; i++) {
            double bias = read(mine.others()[i]);
            if (spec.isImplicit()) {
                double more = spec.confidence() * mine.ratings()[i];
                equations.add(z, more, (isFirst(mine.others()[i]) ? 1 : 0) + more);
                counted += more;
            } else {
                equations.add(z, 1, wanted(mine.ratings()[i]) - bias);
            }
        }
    }

    /** Solves it, of which so many ratings were added; its loss begins. */
    void close(int ratings, float[] into, int at) {
        x = equations.solve(spec.l2() * (spec.isImplicit() ? counted : ratings));
        into[at] = 0;
        for (int i = 0; i < x.length; i++) {
            into[at + first + i] = ratings == 0 ? 0 : (float) x[i];
        }
        lossSum = spec.isImplicit() && ratings > 0 ? ofAll() : 0;
        passOver();
    }

    /** Adds what some of its ratings lose. */
    void lose(SideRatings mine, int from, int to) {
        for (int i = from; i < to; i++) {
            double bias = read(mine.others()[i]);
            double score = 0;
            for (int k = 0; k < z.length; k++) {
                score += z[k] * x[k];
            }
            if (spec.isImplicit()) {
                double more = spec.confidence() * mine.ratings()[i];
                lossSum += more * (1 - score) * (1 - score);
                lossSum += isFirst(mine.others()[i]) ? 1 - 2 * score : 0;
            } else {
                double error = wanted(mine.ratings()[i]) - bias - score;
                lossSum += error * error;
            }
        }
    }

    /** What was lost, without the penalty. */
    double lossSum() {
        return lossSum;
    }

    /** Rows of one pair count together: the 1 that every pair counts is there once. */
    private void passOver() {
        if (spec.isImplicit() && passes.length == 0) {
            passes = new int[codes];
            pass = 0;
        }
        pass++;
    }

    /** Whether no row before it in this pass was of that code. */
    private boolean isFirst(int other) {
        boolean isFirst = passes[other] != pass;
        passes[other] = pass;
        return isFirst;
    }

    private double wanted(float rating) {
        return (rating - target.mean()) / target.deviation();
    }

    /** What a rating is multiplied by: 1 and the factors, or these alone. The weight is given. */
    private double read(int code) {
        partners.read(code, row);
        double bias = row[0];
        row[0] = 1;
        for (int i = 0; i < z.length; i++) {
            z[i] = row[first + i];
        }
        return bias;
    }

    /** Sum of the squared scores of all of the other side. */
    private double ofAll() {
        double sum = 0;
        for (int i = 0; i < z.length; i++) {
            for (int j = 0; j < i; j++) {
                sum += 2 * x[i] * x[j] * gram[i * z.length + j];
            }
            sum += x[i] * x[i] * gram[i * z.length + i];
        }
        return sum;
    }
}
