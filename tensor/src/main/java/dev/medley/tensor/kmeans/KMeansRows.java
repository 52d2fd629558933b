package dev.medley.tensor.kmeans;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.Span;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps a worker's samples in memory, and what is known of each: 4 d + 12 bytes a sample, and 8
 * more during a start. Belongs to the training thread.
 */
final class KMeansRows {
    /** Samples of a block. */
    private static final int ROWS = 4096;

    /** No centre is known of a sample. */
    static final int NONE = -1;

    private final int features;
    private final List<Block> blocks = new ArrayList<>();
    private long count;

    /** Some samples that lie together. */
    static final class Block {
        private final FloatBuffer values;
        private final int features;
        private int rows;

        /** The nearest centre or candidate of each, or {@link #NONE}. */
        final int[] nearest = new int[ROWS];

        /** Above the distance to the nearest, and below that to all others. */
        final float[] upper = new float[ROWS];

        final float[] lower = new float[ROWS];

        /** Squared distances to the nearest, while a start goes on; else empty. */
        double[] squared = {};

        private Block(int features) {
            this.features = features;
            values = Span.allocate(4L * ROWS * features).buffer().asFloatBuffer();
            Arrays.fill(nearest, NONE);
        }

        /** How many there are. */
        int rows() {
            return rows;
        }

        /** Reads one. */
        void read(int row, float[] into) {
            values.get(row * features, into, 0, features);
        }
    }

    KMeansRows(int features) {
        this.features = features;
    }

    /** How many there are. */
    long count() {
        return count;
    }

    List<Block> blocks() {
        return blocks;
    }

    /** Takes the features of all samples of a batch. */
    void add(Batch batch) {
        FloatBuffer from = batch.inputs().get(0).data().buffer().asFloatBuffer();
        int taken = 0;
        while (taken < batch.samples()) {
            if (blocks.isEmpty() || blocks.get(blocks.size() - 1).rows == ROWS) {
                blocks.add(new Block(features));
            }
            Block block = blocks.get(blocks.size() - 1);
            int some = Math.min(ROWS - block.rows, batch.samples() - taken);
            block.values.put(block.rows * features, from, taken * features, some * features);
            block.rows += some;
            taken += some;
        }
        count += batch.samples();
    }

    /** Adds sums and sums of squares of all features to {@code into}. */
    void survey(double[] into) {
        float[] row = new float[features];
        for (Block block : blocks) {
            for (int i = 0; i < block.rows; i++) {
                block.read(i, row);
                for (int j = 0; j < features; j++) {
                    into[j] += row[j];
                    into[features + j] += (double) row[j] * row[j];
                }
            }
        }
    }

    /** Reads the sample of this number among those kept here. */
    void read(long number, float[] into) {
        blocks.get((int) (number / ROWS)).read((int) (number % ROWS), into);
    }

    /** Takes {@code shift} off all samples; what was known of them is lost. */
    void shift(double[] shift) {
        float[] row = new float[features];
        for (Block block : blocks) {
            for (int i = 0; i < block.rows; i++) {
                block.read(i, row);
                for (int j = 0; j < features; j++) {
                    row[j] = (float) (row[j] - shift[j]);
                }
                block.values.put(i * features, row);
            }
        }
        forget();
    }

    /** Sum of squared lengths. */
    double squares(ExactUnit unit) {
        float[] row = new float[features];
        double sum = 0;
        for (Block block : blocks) {
            for (int i = 0; i < block.rows; i++) {
                block.read(i, row);
                double length = 0;
                for (float value : row) {
                    length += (double) value * value;
                }
                sum += unit.round(length);
            }
        }
        return sum;
    }

    /** Nothing is known of any sample. */
    void forget() {
        blocks.forEach(block -> Arrays.fill(block.nearest, NONE));
    }

    /** A start begins: no sample has a candidate. */
    void beginDistances() {
        forget();
        for (Block block : blocks) {
            block.squared = new double[ROWS];
            Arrays.fill(block.squared, Double.POSITIVE_INFINITY);
        }
    }

    /** A start is over. */
    void endDistances() {
        blocks.forEach(block -> block.squared = new double[0]);
    }
}
