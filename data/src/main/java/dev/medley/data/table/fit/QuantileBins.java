package dev.medley.data.table.fit;

import dev.medley.data.encoding.Scaling;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the values of a column into bins that hold about as many training values each. A value that
 * would fill a bin by itself is an edge, and the others are cut into the bins that are left: so a
 * column that is mostly 0 has its bins where it is not. With few different values each is an edge.
 * The rest is as in Gorishniy, Rubachev and Babenko 2022 (arXiv 2203.05556, section 3.2).
 */
final class QuantileBins {
    /** Bins of a column. */
    static final int MOST = 128;

    /** Edges of all columns together, where there are very many of these. */
    private static final int MOST_OF_ALL = 1 << 16;

    private QuantileBins() {}

    /**
     * The edges, scaled, from the least value to the greatest; none where they would be fewer than
     * two.
     *
     * @param sorted values
     * @param unit that a value is divided by before it is scaled
     * @param columns among which room is dealt out
     */
    static List<Float> of(double[] sorted, double unit, Scaling scaling, int columns) {
        int bins = Math.max(1, Math.min(MOST, MOST_OF_ALL / columns));
        List<Float> edges = new ArrayList<>();
        for (double value : edges(sorted, bins)) {
            float edge = (float) scaling.of(value / unit);
            if (edges.isEmpty() || isBeyond(edge, edges.get(edges.size() - 1))) {
                edges.add(edge);
            }
        }
        return edges.size() < 2 ? List.of() : edges;
    }

    /** Whether a share of the way from one edge to the next is a number. */
    private static boolean isBeyond(float edge, float last) {
        return edge > last && Float.isFinite(1 / (edge - last));
    }

    private static List<Double> edges(double[] sorted, int bins) {
        int different = 0;
        int heavy = 0;
        int ofHeavy = 0;
        for (int from = 0, to; from < sorted.length; from = to) {
            to = endOfRun(sorted, from);
            boolean isHeavy = (long) (to - from) * bins > sorted.length;
            different++;
            heavy += isHeavy ? 1 : 0;
            ofHeavy += isHeavy ? to - from : 0;
        }
        boolean takesAll = different <= bins + 1;
        double share = (double) (sorted.length - ofHeavy) / Math.max(1, bins - heavy);
        List<Double> edges = new ArrayList<>();
        int since = 0;
        for (int from = 0, to; from < sorted.length; from = to) {
            to = endOfRun(sorted, from);
            boolean isHeavy = (long) (to - from) * bins > sorted.length;
            since += to - from;
            boolean isOutermost = from == 0 || to == sorted.length;
            if (takesAll || isHeavy || isOutermost || since >= share) {
                edges.add(sorted[from]);
                since = 0;
            }
        }
        return edges;
    }

    private static int endOfRun(double[] sorted, int from) {
        int to = from + 1;
        while (to < sorted.length && sorted[to] == sorted[from]) {
            to++;
        }
        return to;
    }
}
