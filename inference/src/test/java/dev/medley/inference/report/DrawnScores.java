package dev.medley.inference.report;

import dev.medley.inference.metric.Blocks;
import dev.medley.inference.metric.EvaluatedBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Scores with ties, labels and weights from a congruential generator that any language can follow:
 * the same numbers were given to scikit-learn.
 */
record DrawnScores(float[] logits, float[] labels, float[] weights) {
    static DrawnScores of(int count) {
        float[] logits = new float[count];
        float[] labels = new float[count];
        float[] weights = new float[count];
        long[] state = {1};
        for (int i = 0; i < count; i++) {
            logits[i] = (next(state) % 81 - 40) / 10f;
            double p = 1 / (1 + Math.exp(-logits[i]));
            labels[i] = next(state) % 1000 / 1000.0 < 0.1 + 0.6 * p ? 1 : 0;
            weights[i] = 1 + next(state) % 4 / 2f;
        }
        return new DrawnScores(logits, labels, weights);
    }

    private static long next(long[] state) {
        state[0] = (state[0] * 1_103_515_245L + 12_345) % (1L << 31);
        return state[0] >> 8;
    }

    /** In blocks of so many samples. */
    List<EvaluatedBlock> blocks(int size) {
        List<EvaluatedBlock> blocks = new ArrayList<>();
        for (int from = 0; from < logits.length; from += size) {
            int to = Math.min(logits.length, from + size);
            blocks.add(
                    Blocks.weighing(
                            Blocks.of(
                                    Arrays.copyOfRange(logits, from, to),
                                    Arrays.copyOfRange(labels, from, to)),
                            Arrays.copyOfRange(weights, from, to)));
        }
        return blocks;
    }

    /** The same samples, each of which counts one. */
    DrawnScores unweighted() {
        float[] ones = new float[weights.length];
        Arrays.fill(ones, 1);
        return new DrawnScores(logits, labels, ones);
    }
}
