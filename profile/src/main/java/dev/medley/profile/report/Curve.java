package dev.medley.profile.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Many points made few enough to draw: neighbours are gathered in buckets of equal count, each with
 * its mean and its extremes, so that no spike is lost. Values that are not finite are left out;
 * where a bucket has none, its figures are NaN.
 */
final class Curve {
    /** Most points of a curve: more than a screen has columns for. */
    static final int MOST_POINTS = 1200;

    private final double[] mean;
    private final double[] low;
    private final double[] high;

    private Curve(int buckets) {
        mean = new double[buckets];
        low = new double[buckets];
        high = new double[buckets];
    }

    /** The mean of each bucket. */
    double[] mean() {
        return mean;
    }

    /** The least of each bucket. */
    double[] low() {
        return low;
    }

    /** The greatest of each bucket. */
    double[] high() {
        return high;
    }

    /** Buckets for {@code count} points. */
    static int buckets(int count) {
        return Math.min(count, MOST_POINTS);
    }

    /** The first point of bucket {@code bucket} of {@code count} points. */
    static int start(int bucket, int count) {
        return (int) ((long) bucket * count / buckets(count));
    }

    /** A curve of one figure of each point. */
    static <T> Curve of(List<T> points, ToDoubleFunction<? super T> figure) {
        double[] values = points.stream().mapToDouble(figure).toArray();
        return of(values);
    }

    static Curve of(double[] values) {
        int buckets = buckets(values.length);
        Curve curve = new Curve(buckets);
        for (int bucket = 0; bucket < buckets; bucket++) {
            curve.fill(
                    bucket, values, start(bucket, values.length), start(bucket + 1, values.length));
        }
        return curve;
    }

    /**
     * The centred moving mean over a fortieth of the points on either side; narrower near the ends,
     * so that the curve neither lags nor bends there.
     */
    static double[] smooth(double[] values) {
        int reach = values.length / 40;
        double[] sums = new double[values.length + 1];
        int[] counts = new int[values.length + 1];
        for (int i = 0; i < values.length; i++) {
            boolean isFinite = Double.isFinite(values[i]);
            sums[i + 1] = sums[i] + (isFinite ? values[i] : 0);
            counts[i + 1] = counts[i] + (isFinite ? 1 : 0);
        }
        double[] smooth = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            int width = Math.min(reach, Math.min(i, values.length - 1 - i));
            int from = i - width;
            int to = i + width + 1;
            smooth[i] = (sums[to] - sums[from]) / (counts[to] - counts[from]);
        }
        return smooth;
    }

    private void fill(int bucket, double[] values, int from, int to) {
        double sum = 0;
        int count = 0;
        double least = Double.NaN;
        double most = Double.NaN;
        for (int i = from; i < to; i++) {
            if (Double.isFinite(values[i])) {
                sum += values[i];
                count++;
                least = count == 1 ? values[i] : Math.min(least, values[i]);
                most = count == 1 ? values[i] : Math.max(most, values[i]);
            }
        }
        mean[bucket] = count == 0 ? Double.NaN : sum / count;
        low[bucket] = least;
        high[bucket] = most;
    }
}
