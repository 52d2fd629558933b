package dev.medley.training.bucket;

import java.nio.DoubleBuffer;

/** Holds the last small bucket of a step: each rank's report of its part, in {@link RankRows}. */
public final class Tail {
    /** Doubles of a row. */
    public static final int FIELDS = 5;

    private static final int WEIGHT = 0;
    private static final int LOSS = 1;
    private static final int FINITE = 2;
    private static final int SQUARED_NORM = 3;
    private static final int WISHES = 4;

    private final RankRows rows;

    /** A tail over {@code ranks * FIELDS} doubles of exchange memory. */
    public Tail(DoubleBuffer values, int ranks) {
        this.rows = new RankRows(values, ranks, FIELDS);
    }

    /** What a member may wish for at the end of a step; it is granted to all if one wishes it. */
    public enum Wish {
        /** The coordinator wants the group to end. */
        PAUSE(1),
        /** The time of the run is used up. */
        TIME_IS_UP(2),
        /** bf16 is too coarse for this model: go on in fp32. */
        FULL_PRECISION(4);

        private final int bit;

        Wish(int bit) {
            this.bit = bit;
        }
    }

    /**
     * Writes this rank's row and clears the others.
     *
     * @param lossSum sum of the losses of this rank's samples
     * @param weight sum of their weights
     * @param squaredNorm of this rank's gradient of the loss sum
     * @param wishes bits of {@link Wish}
     */
    public void write(int rank, double lossSum, double weight, double squaredNorm, int wishes) {
        boolean finite = Double.isFinite(lossSum) && Double.isFinite(squaredNorm);
        rows.write(
                rank,
                weight,
                finite ? lossSum : 0,
                finite ? 1 : 0,
                finite ? squaredNorm : 0,
                wishes);
    }

    /** Sum of all weights: what gradients are divided by. */
    public double weight() {
        return rows.sum(WEIGHT);
    }

    /** Loss of one rank's samples; 0 where it is not finite. */
    public double lossSum(int rank) {
        return rows.get(rank, LOSS);
    }

    /** Weight of one rank's samples. */
    public double weight(int rank) {
        return rows.get(rank, WEIGHT);
    }

    /** Squared norm of one rank's gradient of its loss sum. */
    public double squaredNorm(int rank) {
        return rows.get(rank, SQUARED_NORM);
    }

    /** Weighted mean loss of the step; NaN where nothing has a weight. */
    public double loss() {
        return rows.sum(LOSS) / weight();
    }

    /** First rank whose loss or gradient was not finite; -1 if all were sound. */
    public int firstUnsoundRank() {
        for (int rank = 0; rank < rows.ranks(); rank++) {
            if (!isSound(rank)) {
                return rank;
            }
        }
        return -1;
    }

    /** Whether the loss and the gradient of a rank were finite. */
    public boolean isSound(int rank) {
        return rows.get(rank, FINITE) != 0;
    }

    /** Whether anybody wishes it. */
    public boolean isWished(Wish wish) {
        for (int rank = 0; rank < rows.ranks(); rank++) {
            if (((int) rows.get(rank, WISHES) & bit(wish)) != 0) {
                return true;
            }
        }
        return false;
    }

    /** The bit of a wish. */
    public static int bit(Wish wish) {
        return wish.bit;
    }
}
