package dev.medley.tensor.convex;

import java.util.Arrays;

/**
 * Finds how far to go along a direction, one trial at a time: it is told the loss and its slope
 * there, and says where to look next. A step is taken that satisfies the strong Wolfe conditions
 * (Nocedal and Wright 2006, algorithms 3.5 and 3.6), with c1 = 1e-4 and c2 = 0.9.
 *
 * <p>All that it knows lies in an array of {@link #SIZE} numbers, so that it is copied and saved.
 */
final class LineSearch {
    /** Numbers that a search remembers. */
    static final int SIZE = 12;

    private static final double DECREASE = 1e-4;
    private static final double FLATTER = 0.9;
    private static final int MOST_TRIALS = 25;

    private static final int ALPHA = 0;
    private static final int LOSS_0 = 1;
    private static final int SLOPE_0 = 2;

    /** The bracket: three numbers of its better end, three of the other. */
    private static final int LOW = 3;

    private static final int HIGH = 6;
    private static final int IS_BRACKETED = 9;
    private static final int TRIALS = 10;

    private final double[] s;

    /** What follows from a trial. */
    enum Answer {
        /** The step is good. */
        TAKE,
        /** Another length is to be tried. */
        TRY,
        /** No length lowers the loss by what can be computed. */
        FAIL
    }

    /** Over a memory, which is changed. */
    LineSearch(double[] memory) {
        s = memory;
    }

    /** Begins at a loss that falls with {@code slope < 0}. */
    void begin(double loss, double slope, double firstAlpha) {
        Arrays.fill(s, 0);
        s[ALPHA] = firstAlpha;
        s[LOSS_0] = loss;
        s[SLOPE_0] = slope;
        end(LOW, 0, loss, slope);
    }

    /** The length to try. */
    double alpha() {
        return s[ALPHA];
    }

    /** Half as far. */
    void shorten() {
        s[ALPHA] /= 2;
    }

    /** The loss at the beginning. */
    double lossBefore() {
        return s[LOSS_0];
    }

    /** The loss at the trial, and its slope along the direction. */
    Answer tried(double loss, double slope) {
        double alpha = s[ALPHA];
        s[TRIALS]++;
        boolean isHigh =
                !(loss <= s[LOSS_0] + DECREASE * alpha * s[SLOPE_0])
                        || (s[TRIALS] > 1 && loss >= s[LOW + 1]);
        if (!isHigh && Math.abs(slope) <= -FLATTER * s[SLOPE_0]) {
            return Answer.TAKE;
        }
        if (s[TRIALS] >= MOST_TRIALS) {
            return !isHigh ? Answer.TAKE : Answer.FAIL;
        }
        if (isHigh) {
            end(HIGH, alpha, loss, slope);
            s[IS_BRACKETED] = 1;
        } else {
            boolean hasPassed = s[IS_BRACKETED] == 1 ? slope * (s[HIGH] - s[LOW]) >= 0 : slope >= 0;
            if (hasPassed) {
                System.arraycopy(s, LOW, s, HIGH, 3);
                s[IS_BRACKETED] = 1;
            }
            end(LOW, alpha, loss, slope);
        }
        double next = s[IS_BRACKETED] == 1 ? within() : 2 * alpha;
        boolean isSame = next == s[LOW] || next == alpha || Math.abs(s[HIGH] - s[LOW]) < 1e-14;
        if (s[IS_BRACKETED] == 1 && isSame) {
            return !isHigh ? Answer.TAKE : Answer.FAIL;
        }
        s[ALPHA] = next;
        return Answer.TRY;
    }

    private void end(int at, double alpha, double loss, double slope) {
        s[at] = alpha;
        s[at + 1] = loss;
        s[at + 2] = slope;
    }

    /** The minimum of a cubic through both ends, kept a tenth of the bracket away from them. */
    private double within() {
        double width = s[HIGH] - s[LOW];
        double middle = s[LOW] + width / 2;
        if (!Double.isFinite(s[HIGH + 1]) || !Double.isFinite(s[HIGH + 2])) {
            return middle;
        }
        double d1 = s[LOW + 2] + s[HIGH + 2] - 3 * (s[LOW + 1] - s[HIGH + 1]) / (s[LOW] - s[HIGH]);
        double root = d1 * d1 - s[LOW + 2] * s[HIGH + 2];
        if (!(root >= 0)) {
            return middle;
        }
        double d2 = Math.copySign(Math.sqrt(root), width);
        double share = (s[HIGH + 2] + d2 - d1) / (s[HIGH + 2] - s[LOW + 2] + 2 * d2);
        double inside = Math.max(0.1, Math.min(0.9, 1 - share));
        return Double.isFinite(inside) ? s[LOW] + inside * width : middle;
    }
}
