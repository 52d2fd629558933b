package dev.medley.tensor.factor;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.Signature.Target;
import dev.medley.base.model.FactorSpec;
import dev.medley.tensor.factor.SideRatings.Range;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.table.FactorRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Solves the rows of one side of a factorisation where the other stays: each by least squares from
 * its own ratings alone, so that any member may solve any row and comes to the same bits.
 *
 * <p>Of explicit ratings that is ALS-WR (Zhou et al. 2008) with biases: a row is its weight and
 * factors. Of implicit feedback it is the method of Hu, Koren and Volinsky (2008, equation 4): all
 * items count, those that were taken 1 + confidence times the label, and there are no biases. The
 * penalty of a row is l2 times what all of its ratings count, those of items that were not taken
 * among them.
 */
public final class AlternatingSolver {
    private final FactorLearner learner;
    private final FactorSpec spec;
    private final FactorRows rows;
    private final FactorSides sides;
    private final Target target;
    private final RatingSource source;
    private int[][] counts = {};
    private List<Integer> dealt = List.of();
    private int dealtTo;
    private final @Nullable SideRatings[] own = new SideRatings[2];
    private final NormalEquations equations;
    private final float[] row;
    private final double[] z;
    private double[] gram = {};
    private int[] passes = {};
    private int pass;

    /** A solver that reads a worker's training samples when they are dealt out. */
    public AlternatingSolver(FactorLearner learner, RatingSource source) {
        this.learner = learner;
        this.source = source;
        spec = learner.spec();
        rows = learner.rows();
        sides = learner.sides();
        target = learner.target();
        int unknowns = learner.stride() - firstUnknown();
        equations = new NormalEquations(unknowns);
        row = new float[learner.stride()];
        z = new double[unknowns];
    }

    /** Implicit feedback has no biases. */
    private int firstUnknown() {
        return spec.isImplicit() ? 1 : 0;
    }

    /** Codes of a side, users first. */
    public int codes(int side) {
        return rows.codes().get(category(side));
    }

    private int category(int side) {
        return side == 0 ? sides.user() : sides.item();
    }

    /** The row of a code. */
    public int row(int side, int code) {
        return rows.first().get(category(side)) + code;
    }

    /**
     * Deals the rows of both sides out, so that ratings are in proportion to shares, and reads this
     * rank's. Where they are dealt as before, nothing is read.
     */
    public void deal(List<Integer> shares, int rank) {
        if (counts.length == 0) {
            int categories = rows.categories();
            counts =
                    new int[][] {
                        SideRatings.counts(source, categories, category(0), codes(0)),
                        SideRatings.counts(source, categories, category(1), codes(1))
                    };
        }
        if (!shares.equals(dealt) || rank != dealtTo) {
            for (int side = 0; side < 2; side++) {
                int[] cuts = cuts(side, shares);
                Range range = new Range(cuts[rank], cuts[rank + 1]);
                own[side] =
                        SideRatings.of(
                                source,
                                rows.categories(),
                                category(side),
                                category(1 - side),
                                counts[side],
                                range);
                checkStrengths(own[side]);
            }
            dealt = List.copyOf(shares);
            dealtTo = rank;
        }
    }

    private void checkStrengths(SideRatings ratings) {
        for (float rating : ratings.ratings()) {
            check(
                    Float.isFinite(rating) && (!spec.isImplicit() || rating > 0),
                    "data.label: implicit feedback says how strongly a user took an item, and one"
                            + " row says %s: leave such rows out, or take feedback: explicit",
                    rating);
        }
    }

    /** First code of each rank on a side, and behind them the number of codes. */
    public int[] cuts(int side, List<Integer> shares) {
        long all = 0;
        for (int count : counts[side]) {
            all += count;
        }
        long samples = shares.stream().mapToLong(Integer::longValue).sum();
        int[] cuts = new int[shares.size() + 1];
        int code = 0;
        long before = 0;
        long given = 0;
        for (int rank = 0; rank < shares.size(); rank++) {
            cuts[rank] = code;
            given += shares.get(rank);
            double wanted = (double) all * given / samples;
            while (code < counts[side].length && before + counts[side][code] / 2.0 < wanted) {
                before += counts[side][code++];
            }
        }
        cuts[shares.size()] = counts[side].length;
        return cuts;
    }

    /** A half of an iteration begins: the other side is as it is now. */
    public void begin(int side) {
        if (spec.isImplicit()) {
            equations.begin();
            for (int code = 0; code < codes(1 - side); code++) {
                read(1 - side, code);
                equations.add(z, 1, 0);
            }
            gram = equations.gathered();
        }
    }

    /**
     * Solves a row of this rank's.
     *
     * @param into its weight and factors, from {@code at} on
     * @return what its ratings lose then, without the penalty
     */
    public StepLoss solve(int side, int code, float[] into, int at) {
        SideRatings mine = own[side];
        if (mine == null) {
            throw new IllegalStateException("rows were not dealt out");
        }
        int from = mine.starts()[code - mine.first()];
        int to = mine.starts()[code - mine.first() + 1];
        double[] x =
                spec.isImplicit() ? implicit(mine, side, from, to) : explicit(mine, side, from, to);
        into[at] = 0;
        for (int i = 0; i < x.length; i++) {
            into[at + firstUnknown() + i] = from == to ? 0 : (float) x[i];
        }
        return loss(mine, side, from, to, x);
    }

    private double[] explicit(SideRatings mine, int side, int from, int to) {
        equations.begin();
        for (int i = from; i < to; i++) {
            double bias = read(1 - side, mine.others()[i]);
            equations.add(z, 1, wanted(mine.ratings()[i]) - bias);
        }
        return equations.solve(spec.l2() * (to - from));
    }

    private double[] implicit(SideRatings mine, int side, int from, int to) {
        equations.begin(gram);
        passOver();
        double counted = codes(1 - side) - 1;
        for (int i = from; i < to; i++) {
            read(1 - side, mine.others()[i]);
            double more = spec.confidence() * mine.ratings()[i];
            equations.add(z, more, (isFirst(mine.others()[i]) ? 1 : 0) + more);
            counted += more;
        }
        return equations.solve(spec.l2() * counted);
    }

    /** Rows of one pair count together: the 1 that every pair counts is there once. */
    private void passOver() {
        if (spec.isImplicit() && passes.length == 0) {
            passes = new int[Math.max(codes(0), codes(1))];
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
    private double read(int side, int code) {
        learner.read(row(side, code), row);
        double bias = row[0];
        row[0] = 1;
        for (int i = 0; i < z.length; i++) {
            z[i] = row[firstUnknown() + i];
        }
        return bias;
    }

    private StepLoss loss(SideRatings mine, int side, int from, int to, double[] x) {
        double sum = spec.isImplicit() && from < to ? ofAll(x) : 0;
        passOver();
        for (int i = from; i < to; i++) {
            double bias = read(1 - side, mine.others()[i]);
            double score = 0;
            for (int k = 0; k < z.length; k++) {
                score += z[k] * x[k];
            }
            if (spec.isImplicit()) {
                double more = spec.confidence() * mine.ratings()[i];
                sum += more * (1 - score) * (1 - score);
                sum += isFirst(mine.others()[i]) ? 1 - 2 * score : 0;
            } else {
                double error = wanted(mine.ratings()[i]) - bias - score;
                sum += error * error;
            }
        }
        return new StepLoss(sum, to - from);
    }

    /** Sum of the squared scores of all of the other side. */
    private double ofAll(double[] x) {
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
