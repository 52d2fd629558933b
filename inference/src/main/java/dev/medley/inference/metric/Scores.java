package dev.medley.inference.metric;

import dev.medley.base.job.Signature.TargetKind;
import java.util.Arrays;
import java.util.List;

/**
 * Sorts a binary classifier's scores of all samples, from which the areas under its curves are
 * computed. Two doubles a sample, the score and the weight, with a minus where the sample is
 * negative.
 *
 * <p>Cost: a validation set may have hundreds of millions of samples, all of which are taken in the
 * order of their scores: 8 bytes each beside their doubles.
 */
public final class Scores {
    /** A score and its weight for each sample; whatever follows from them shares these. */
    public static final BlockValues SOURCE =
            new BlockValues() {
                @Override
                public int valuesOf(int samples) {
                    return OF_SAMPLE * samples;
                }

                @Override
                public double[] values(EvaluatedBlock block) {
                    return Scores.values(block);
                }
            };

    private static final int OF_SAMPLE = 2;
    private static final int INDEX_BITS = 32;
    private static final int MAGNITUDE = Integer.MAX_VALUE;

    private final List<double[]> blocks;
    private final int[] starts; // Index of the first sample of each block.
    private final long[]
            ranked; // Bits of a score that are ordered as it is, then a sample's index.

    private Scores(List<double[]> blocks) {
        this.blocks = blocks;
        this.starts = new int[blocks.size()];
        int samples = 0;
        for (int b = 0; b < starts.length; b++) {
            starts[b] = samples;
            samples += blocks.get(b).length / OF_SAMPLE;
        }
        this.ranked = new long[samples];
        int sample = 0;
        for (double[] block : blocks) {
            for (int i = 0; i < block.length; i += OF_SAMPLE) {
                ranked[sample] = ((long) ordered((float) block[i]) << INDEX_BITS) | sample;
                sample++;
            }
        }
        Arrays.sort(ranked);
    }

    private static double[] values(EvaluatedBlock block) {
        Predictions predictions = new Predictions(block, TargetKind.BINARY);
        double[] values = new double[SOURCE.valuesOf(block.samples())];
        for (int i = 0; i < block.samples(); i++) {
            double weight = predictions.weight(i);
            values[OF_SAMPLE * i] = predictions.output(i);
            values[OF_SAMPLE * i + 1] = predictions.truth(i) > 0 ? weight : -weight;
        }
        return values;
    }

    /** From the lowest score on. */
    static Levels ascending(List<double[]> blocks) {
        return new Scores(blocks).levels(false);
    }

    /** From the highest score on. */
    public static Levels descending(List<double[]> blocks) {
        return new Scores(blocks).levels(true);
    }

    private Levels levels(boolean isFalling) {
        return new Levels(isFalling);
    }

    /** Integers are ordered as these bits are; both zeros are one. */
    private static int ordered(float score) {
        int bits = Float.floatToIntBits(score + 0f);
        return bits ^ ((bits >> 31) & MAGNITUDE);
    }

    /** The samples of equal scores, level after level. */
    public final class Levels {
        private final boolean isFalling;
        private int taken;
        private double score;
        private double negative;
        private double positive;

        private Levels(boolean isFalling) {
            this.isFalling = isFalling;
        }

        /** Goes on to the next level; false if there is none. */
        public boolean next() {
            if (taken == ranked.length) {
                return false;
            }
            int first = isFalling ? ranked.length - 1 - taken : taken;
            int step = isFalling ? -1 : 1;
            int last = first;
            while (isSameLevel(first, last + step)) {
                last += step;
            }
            negative = 0;
            positive = 0;
            score = scoreOf((int) ranked[first]);
            for (int at = Math.min(first, last); at <= Math.max(first, last); at++) {
                add(weight((int) ranked[at]));
            }
            taken += Math.abs(last - first) + 1;
            return true;
        }

        /** The score of this level's samples, as the model gives it. */
        public double score() {
            return score;
        }

        /** What the negative samples of this level count. */
        public double negative() {
            return negative;
        }

        /** What the positive samples of this level count. */
        public double positive() {
            return positive;
        }

        private void add(double weight) {
            negative += weight > 0 ? 0 : -weight;
            positive += weight > 0 ? weight : 0;
        }
    }

    private boolean isSameLevel(int one, int other) {
        return other >= 0
                && other < ranked.length
                && ranked[other] >> INDEX_BITS == ranked[one] >> INDEX_BITS;
    }

    private double scoreOf(int sample) {
        int block = blockOf(sample);
        return blocks.get(block)[OF_SAMPLE * (sample - starts[block])];
    }

    private double weight(int sample) {
        int block = blockOf(sample);
        return blocks.get(block)[OF_SAMPLE * (sample - starts[block]) + 1];
    }

    private int blockOf(int sample) {
        int found = Arrays.binarySearch(starts, sample);
        return found >= 0 ? found : -found - 2;
    }
}
