package dev.medley.data.table.fit;

import dev.medley.data.encoding.Scaling;
import java.util.Arrays;

/**
 * Chooses centre and scale of a column such that a few values far away do not move them. They are
 * the median and the distance of the quartiles. Where these are the same number, as in a column
 * that is mostly 0, quantiles further out are asked, brought to the distance that quartiles of a
 * normal distribution would have; where all are, the values that differ from the median give their
 * median distance from it.
 */
final class RobustScale {
    /** What scaled numbers never exceed; that of RealMLP. */
    static final double CLIP = 3;

    /** Minus one for false and one for true, however rare. */
    static final Scaling OF_BOOLEANS = new Scaling(0.5, 0.5, 0);

    private static final double[] TAILS = {0.25, 0.1, 0.05, 0.01};

    /** Distances between the quantiles of a normal distribution, in those of its quartiles. */
    private static final double[] NORMAL = {1, 1.9, 2.4387, 3.4491};

    private RobustScale() {}

    /**
     * How values are scaled.
     *
     * @param sorted values, at least one
     * @param otherwise the scale where they are all the same
     */
    static Scaling of(double[] sorted, double otherwise) {
        double median = quantile(sorted, 0.5);
        for (int i = 0; i < TAILS.length; i++) {
            double distance = quantile(sorted, 1 - TAILS[i]) - quantile(sorted, TAILS[i]);
            if (distance / NORMAL[i] > 0) {
                return scaling(median, distance / NORMAL[i]);
            }
        }
        double[] others =
                Arrays.stream(sorted).map(x -> Math.abs(x - median)).filter(d -> d > 0).toArray();
        Arrays.sort(others);
        return scaling(median, others.length == 0 ? otherwise : quantile(others, 0.5));
    }

    private static Scaling scaling(double centre, double scale) {
        return new Scaling(centre, Math.min(scale, Double.MAX_VALUE), CLIP);
    }

    /** Between two values in proportion (the type 7 of Hyndman and Fan 1996). */
    static double quantile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int below = (int) at;
        double low = sorted[below];
        double high = sorted[Math.min(below + 1, sorted.length - 1)];
        double part = at - below;
        return low == high ? low : low * (1 - part) + high * part;
    }
}
