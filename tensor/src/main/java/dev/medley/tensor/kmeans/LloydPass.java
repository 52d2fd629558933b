package dev.medley.tensor.kmeans;

import dev.medley.tensor.kmeans.KMeansRows.Block;
import java.util.Arrays;

/**
 * Assigns samples to the nearest centres, and keeps the sums of each centre's samples. A sample is
 * looked at only where bounds on its distances, which the centres' moves loosen, do not show that
 * its centre is the nearest still (Hamerly 2010). Sums change by those samples alone that change
 * their centre; they are exact, so nothing adds up.
 */
final class LloydPass {
    /** Bounds in single precision are rounded outwards. */
    private static final float OUT = 1 + 0x1p-21f;

    private static final float IN = 1 - 0x1p-21f;

    /** Distances between more centres than these would cost more than they spare. */
    private static final int MANY = 1024;

    private final KMeansRows rows;
    private final KMeansShape shape;
    private final ExactUnit unit;
    private final double squares;
    private final double[] sums;
    private final double[] counts;
    private double[] centres = {};

    /** Of these samples, of which nothing is known. */
    LloydPass(KMeansRows rows, KMeansShape shape, ExactUnit unit, ExactUnit ofSquares) {
        this.rows = rows;
        this.shape = shape;
        this.unit = unit;
        squares = rows.squares(ofSquares);
        sums = new double[shape.centres()];
        counts = new double[shape.k()];
        rows.forget();
    }

    /** Sums of the samples of each centre, then their counts, then the sum of all squares. */
    void write(double[] into) {
        System.arraycopy(sums, 0, into, 0, sums.length);
        System.arraycopy(counts, 0, into, sums.length, counts.length);
        into[sums.length + counts.length] = squares;
    }

    /** Assigns all samples to {@code next}; what they lose, so far as double precision goes. */
    double assign(double[] next) {
        Moves moves = Moves.of(centres, next, shape);
        float[] halves = halves(next);
        centres = next;
        new Run(new CentreProducts(next, shape.k(), shape.features()), moves, halves).all();
        return InertiaSum.of(sums, counts, squares, next, shape);
    }

    /** Half of each centre's distance to the next one; 0 where that would take too long. */
    private float[] halves(double[] next) {
        int k = shape.k();
        int d = shape.features();
        float[] halves = new float[k];
        if (k > MANY) {
            return halves;
        }
        double[] least = new double[k];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        for (int a = 0; a < k; a++) {
            for (int b = 0; b < a; b++) {
                double apart = Distance.squared(next, a * d, next, b * d, d);
                least[a] = Math.min(least[a], apart);
                least[b] = Math.min(least[b], apart);
            }
            // One centre alone is the nearest anyway.
        }
        for (int c = 0; c < k; c++) {
            halves[c] = (float) (Math.sqrt(least[c]) / 2) * IN;
        }
        return halves;
    }

    /**
     * How far centres have moved since bounds were set.
     *
     * @param by distance of each
     * @param fastest the one that moved most
     * @param most its distance
     * @param second the most of all others
     */
    private record Moves(float[] by, int fastest, float most, float second) {
        static Moves of(double[] from, double[] to, KMeansShape shape) {
            float[] by = new float[shape.k()];
            int fastest = 0;
            float second = 0;
            for (int c = 0; c < by.length && from.length > 0; c++) {
                int at = c * shape.features();
                by[c] = (float) Math.sqrt(Distance.squared(from, at, to, at, shape.features()));
                by[c] *= OUT;
                if (by[c] > by[fastest]) {
                    second = by[fastest];
                    fastest = c;
                } else if (c != fastest) {
                    second = Math.max(second, by[c]);
                }
            }
            return new Moves(by, fastest, by[fastest], second);
        }

        float ofOthers(int centre) {
            return centre == fastest ? second : most;
        }
    }

    /** One pass over all samples. */
    private final class Run {
        private final CentreProducts products;
        private final Nearest nearest;
        private final Moves moves;
        private final float[] halves;
        private final int d = shape.features();
        private final float[] row = new float[d];
        private final Block[] blockOf = new Block[CentreProducts.MOST_ROWS];
        private final int[] placeOf = new int[CentreProducts.MOST_ROWS];

        Run(CentreProducts products, Moves moves, float[] halves) {
            this.products = products;
            this.nearest = new Nearest(products);
            this.moves = moves;
            this.halves = halves;
        }

        void all() {
            for (Block block : rows.blocks()) {
                for (int i = 0; i < block.rows(); i++) {
                    if (!isSettled(block, i)) {
                        block.read(i, row);
                        if (block.nearest[i] == KMeansRows.NONE || !isNear(block, i)) {
                            look(block, i);
                        }
                    }
                }
            }
            settle();
        }

        private boolean isSettled(Block block, int i) {
            int own = block.nearest[i];
            if (own == KMeansRows.NONE) {
                return false;
            }
            float upper = (block.upper[i] + moves.by()[own]) * OUT;
            float lower = block.lower[i] - moves.ofOthers(own);
            lower *= lower > 0 ? IN : OUT;
            block.upper[i] = upper;
            block.lower[i] = lower;
            return upper < Math.max(lower, halves[own]);
        }

        /** The same with the distance itself in the place of its bound. */
        private boolean isNear(Block block, int i) {
            int own = block.nearest[i];
            float upper = above(Distance.squared(row, 0, centres, own * d, d));
            block.upper[i] = upper;
            return upper < Math.max(block.lower[i], halves[own]);
        }

        private void look(Block block, int i) {
            blockOf[products.waiting()] = block;
            placeOf[products.waiting()] = i;
            products.add(row, 0);
            if (products.isFull()) {
                settle();
            }
        }

        private void settle() {
            if (products.waiting() == 0) {
                return;
            }
            products.score();
            for (int waiting = 0; waiting < products.waiting(); waiting++) {
                nearest.find(waiting);
                Block block = blockOf[waiting];
                int i = placeOf[waiting];
                block.upper[i] = above(nearest.squared());
                block.lower[i] = below(nearest.squaredOfOthers());
                move(waiting, block.nearest[i], nearest.centre());
                block.nearest[i] = nearest.centre();
            }
            products.clear();
        }

        private void move(int waiting, int from, int to) {
            if (from == to) {
                return;
            }
            float[] samples = products.samples();
            int at = waiting * d;
            for (int j = 0; j < d; j++) {
                double term = unit.round(samples[at + j]);
                sums[to * d + j] += term;
                if (from != KMeansRows.NONE) {
                    sums[from * d + j] -= term;
                }
            }
            counts[to]++;
            if (from != KMeansRows.NONE) {
                counts[from]--;
            }
        }
    }

    private static float above(double squared) {
        return (float) Math.sqrt(squared) * OUT;
    }

    private static float below(double squared) {
        return squared > 0 ? (float) Math.sqrt(squared) * IN : 0;
    }
}
