package dev.medley.record.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Reduces many points to few enough to draw. Neighbours are gathered in buckets of equal count,
 * each with its mean and its extremes, so that no spike is lost. Values that are not finite are
 * left out; where a bucket has none, its figures are NaN.
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
     * The trend: at each point a straight line fitted by least squares to its neighbours, a
     * fortieth of all points on either side. Near the ends, where one side is short, the line keeps
     * the slope that a mean would lose. Linear in the number of points.
     */
    static double[] smooth(double[] values) {
        int reach = values.length / 40;
        // Sums over the points before i of: one, x, y, x squared, x times y.
        double[][] sums = new double[values.length + 1][5];
        for (int x = 0; x < values.length; x++) {
            double y = values[x];
            double one = Double.isFinite(y) ? 1 : 0;
            double[] terms = {one, x, y, (double) x * x, x * y};
            for (int i = 0; i < terms.length; i++) {
                sums[x + 1][i] = sums[x][i] + (one == 1 ? terms[i] : 0);
            }
        }
        double[] smooth = new double[values.length];
        for (int x = 0; x < values.length; x++) {
            double[] from = sums[Math.max(0, x - reach)];
            double[] to = sums[Math.min(values.length, x + reach + 1)];
            smooth[x] = lineAt(x, from, to);
        }
        return smooth;
    }

    private static double lineAt(int x, double[] from, double[] to) {
        double n = to[0] - from[0];
        double meanX = (to[1] - from[1]) / n;
        double meanY = (to[2] - from[2]) / n;
        double spread = (to[3] - from[3]) / n - meanX * meanX;
        double slope = ((to[4] - from[4]) / n - meanX * meanY) / spread;
        return spread > 1e-6 ? meanY + slope * (x - meanX) : meanY;
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
