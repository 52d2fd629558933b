package dev.medley.tensor.factor;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.model.FactorSpec;
import dev.medley.tensor.factor.SideRatings.Range;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.table.FactorRows;
import java.util.Arrays;
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
    private static final double[] NONE = {};

    private final FactorLearner learner;
    private final FactorSpec spec;
    private final FactorRows rows;
    private final FactorSides sides;
    private final RatingSource source;
    private int[][] counts = {};
    private List<Integer> dealt = List.of();
    private int dealtTo;
    private final @Nullable SideRatings[] own = new SideRatings[2];
    private final RowSolver solver;
    private final float[] solved;

    /** A solver that reads a worker's training samples when they are dealt out. */
    public AlternatingSolver(FactorLearner learner, RatingSource source) {
        this.learner = learner;
        this.source = source;
        spec = learner.spec();
        rows = learner.rows();
        sides = learner.sides();
        int most = Math.max(codes(0), codes(1));
        solver = new RowSolver(spec, learner.target(), most, learner.stride());
        solved = new float[learner.stride()];
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

    /**
     * First code of each rank on a side, and behind them the number of codes. Where tables are
     * dealt out, each row counts as many more as a row has on average: so a rank owns at most twice
     * its share of the rows, and a row costs more than its ratings.
     */
    public int[] cuts(int side, List<Integer> shares) {
        long all = 0;
        for (int count : counts[side]) {
            all += count;
        }
        double ofRow = spec.isDealt() ? (double) all / counts[side].length : 0;
        double work = spec.isDealt() ? 2.0 * all : all;
        long samples = shares.stream().mapToLong(Integer::longValue).sum();
        int[] cuts = new int[shares.size() + 1];
        int code = 0;
        double before = 0;
        long given = 0;
        for (int rank = 0; rank < shares.size(); rank++) {
            cuts[rank] = code;
            given += shares.get(rank);
            double wanted = work * given / samples;
            while (code < counts[side].length
                    && before + (counts[side][code] + ofRow) / 2.0 < wanted) {
                before += counts[side][code++] + ofRow;
            }
        }
        cuts[shares.size()] = counts[side].length;
        return cuts;
    }

    /** A half of an iteration begins: the other side is as it is now, whole. */
    public void begin(int side) {
        begin(side, needsGram() ? gram(new double[0], whole(1 - side), 0, codes(1 - side)) : NONE);
    }

    /**
     * The same where others may hold that side.
     *
     * @param gram the sum of {@link #gram} over all its codes; empty where it does not count
     */
    public void begin(int side, double[] gram) {
        solver.begin(gram, codes(1 - side));
    }

    private PartnerRows whole(int side) {
        return (code, into) -> learner.read(row(side, code), into);
    }

    /** Whether {@link #gram} counts: of implicit feedback, where all of the other side does. */
    public boolean needsGram() {
        return spec.isImplicit();
    }

    /** Numbers of a sum of {@link #gram}. */
    public int gramNumbers() {
        return solver.gramNumbers();
    }

    /**
     * Adds the outer products of rows, one code after the other, to a sum of them. Who goes on
     * where another ended comes to the same bits.
     *
     * @param before what was summed before; empty for nothing
     */
    public double[] gram(double[] before, PartnerRows of, int first, int end) {
        return solver.gram(before, of, first, end);
    }

    /** How the rows of a rank are solved where at most so many ratings are in a block. */
    public List<RatingBlock> blocks(int side, int first, int end, int most) {
        return RatingBlock.of(counts[side], first, end, most);
    }

    /** The rows of the other side that a block's ratings touch, ascending and different. */
    public int[] touched(int side, RatingBlock block) {
        int[] codes = Arrays.copyOfRange(mine(side).others(), block.from(), block.to());
        Arrays.sort(codes);
        int distinct = 0;
        for (int i = 0; i < codes.length; i++) {
            if (i == 0 || codes[i] != codes[i - 1]) {
                codes[distinct++] = codes[i];
            }
        }
        return Arrays.copyOf(codes, distinct);
    }

    /**
     * Solves a block by the rows that its ratings touch; what is solved then goes to {@code into}.
     */
    public StepLoss solve(int side, RatingBlock block, PartnerRows others, DealtRows into) {
        solver.readFrom(others);
        SideRatings mine = mine(side);
        StepLoss loss = StepLoss.NONE;
        for (int code = block.first(); code < block.end(); code++) {
            int from = mine.starts()[code - mine.first()];
            int to = mine.starts()[code - mine.first() + 1];
            switch (block.part()) {
                case ROWS -> {
                    loss = loss.plus(solve(mine, code, solved, 0));
                    into.write(code, solved);
                }
                case EQUATIONS -> {
                    if (block.from() == from) {
                        solver.open();
                    }
                    solver.gather(mine, block.from(), block.to());
                    if (block.to() == to) {
                        solver.close(to - from, solved, 0);
                        into.write(code, solved);
                    }
                }
                case LOSS -> {
                    solver.lose(mine, block.from(), block.to());
                    if (block.to() == to) {
                        loss = new StepLoss(solver.lossSum(), to - from);
                    }
                }
            }
        }
        return loss;
    }

    private SideRatings mine(int side) {
        SideRatings mine = own[side];
        if (mine == null) {
            throw new IllegalStateException("rows were not dealt out");
        }
        return mine;
    }

    /**
     * Solves a row of this rank's.
     *
     * @param into its weight and factors, from {@code at} on
     * @return what its ratings lose then, without the penalty
     */
    public StepLoss solve(int side, int code, float[] into, int at) {
        solver.readFrom(whole(1 - side));
        return solve(mine(side), code, into, at);
    }

    private StepLoss solve(SideRatings mine, int code, float[] into, int at) {
        int from = mine.starts()[code - mine.first()];
        int to = mine.starts()[code - mine.first() + 1];
        solver.open();
        solver.gather(mine, from, to);
        solver.close(to - from, into, at);
        solver.lose(mine, from, to);
        return new StepLoss(solver.lossSum(), to - from);
    }
}
