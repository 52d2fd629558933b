package dev.medley.tensor.kmeans;

import dev.medley.tensor.kmeans.KMeansRows.Block;

/**
 * Draws candidates for a start: each sample with a chance in proportion to its squared distance to
 * the candidates before (k-means||, Bahmani et al. 2012, algorithm 2). Chances are those of the
 * paper, draws are systematic (Madow 1949): points at equal distances on the line of all squared
 * distances, laid end to end in the order of the samples. So as many are drawn as are wanted, which
 * ones does not depend on workers, and all come from one sum.
 */
final class CandidateDraw {
    private final KMeansRows rows;
    private final KMeansShape shape;
    private final ExactUnit ofSquares;
    private int measured;

    /** A draw for a start that begins. */
    CandidateDraw(KMeansRows rows, KMeansShape shape, ExactUnit ofSquares) {
        this.rows = rows;
        this.shape = shape;
        this.ofSquares = ofSquares;
        rows.beginDistances();
    }

    /**
     * Finds the distances of all samples to the nearest of so many candidates.
     *
     * @param candidates begins with those of the last call
     * @return the sum of squared distances
     */
    double measure(double[] candidates, int count) {
        if (measured < count) {
            new Run(candidates, measured, count).all();
            measured = count;
        }
        double sum = 0;
        for (Block block : rows.blocks()) {
            for (int i = 0; i < block.rows(); i++) {
                sum += ofSquares.round(block.squared[i]);
            }
        }
        return sum;
    }

    /**
     * Writes those of this worker's samples that are drawn, each to its place, and 1 behind it.
     *
     * @param before sum of squared distances of all samples before this worker's
     * @param all sum over all workers
     * @param offset from 0 to below 1: where the first point lies
     */
    void draw(double before, double all, double offset, double[] into) {
        int d = shape.features();
        double apart = all / shape.draws();
        float[] row = new float[d];
        double reached = before;
        int next = 0;
        while (next < shape.draws() && (next + offset) * apart < before) {
            next++;
        }
        for (Block block : rows.blocks()) {
            for (int i = 0; i < block.rows() && next < shape.draws(); i++) {
                reached += ofSquares.round(block.squared[i]);
                while (next < shape.draws() && (next + offset) * apart < reached) {
                    block.read(i, row);
                    int at = next * (d + 1);
                    for (int j = 0; j < d; j++) {
                        into[at + j] = row[j];
                    }
                    into[at + d] = 1;
                    next++;
                }
            }
        }
    }

    /** Candidates that samples were compared with. */
    int measured() {
        return measured;
    }

    /** Counts the samples to which each candidate is the nearest. */
    void weigh(double[] into) {
        for (Block block : rows.blocks()) {
            for (int i = 0; i < block.rows(); i++) {
                into[block.nearest[i]]++;
            }
        }
    }

    /** Compares all samples with the candidates from one to before another. */
    private final class Run {
        private final double[] candidates;
        private final int first;
        private final double[] halvesSquared;
        private final CentreProducts products;
        private final Nearest nearest;
        private final Block[] blockOf = new Block[CentreProducts.MOST_ROWS];
        private final int[] placeOf = new int[CentreProducts.MOST_ROWS];

        Run(double[] candidates, int first, int end) {
            this.candidates = candidates;
            this.first = first;
            int d = shape.features();
            double[] some = new double[(end - first) * d];
            System.arraycopy(candidates, first * d, some, 0, some.length);
            products = new CentreProducts(some, end - first, d);
            nearest = new Nearest(products);
            halvesSquared = halvesSquared(end);
        }

        /**
         * Of each candidate before, the square of half its distance to the nearest of the new ones:
         * samples that are nearer to it stay. Zeros where that costs more than it can spare.
         */
        private double[] halvesSquared(int end) {
            int d = shape.features();
            double[] squared = new double[first];
            if (first > rows.count() / 4) {
                return squared;
            }
            for (int a = 0; a < first; a++) {
                double least = Double.POSITIVE_INFINITY;
                for (int b = first; b < end; b++) {
                    least =
                            Math.min(
                                    least,
                                    Distance.squared(candidates, a * d, candidates, b * d, d));
                }
                squared[a] = least / 4 * (1 - 1e-9);
            }
            return squared;
        }

        void all() {
            float[] row = new float[shape.features()];
            for (Block block : rows.blocks()) {
                for (int i = 0; i < block.rows(); i++) {
                    int own = block.nearest[i];
                    if (own != KMeansRows.NONE && block.squared[i] <= halvesSquared[own]) {
                        continue;
                    }
                    block.read(i, row);
                    blockOf[products.waiting()] = block;
                    placeOf[products.waiting()] = i;
                    products.add(row, 0);
                    if (products.isFull()) {
                        compare();
                    }
                }
            }
            compare();
        }

        private void compare() {
            if (products.waiting() == 0) {
                return;
            }
            products.score();
            for (int waiting = 0; waiting < products.waiting(); waiting++) {
                nearest.find(waiting);
                Block block = blockOf[waiting];
                int i = placeOf[waiting];
                if (nearest.squared() < block.squared[i]) {
                    block.squared[i] = nearest.squared();
                    block.nearest[i] = first + nearest.centre();
                }
            }
            products.clear();
        }
    }
}
