package dev.medley.inference.metric;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The fixed blocks of an evaluation, and the places of their values among those of all. They depend
 * only on the data and the metrics, so that the figures do not depend on how many workers there
 * are.
 *
 * @param samples to evaluate
 * @param blockSamples of every block but the last
 * @param target what is predicted
 * @param metrics whose values are exchanged
 */
public record EvaluationBlocks(
        long samples, int blockSamples, Target target, List<Metric> metrics) {
    private static final Metric LOSS = Metrics.loss();

    /**
     * Outputs of a block are kept below this number, so that a large vocabulary does not fill the
     * memory.
     */
    private static final int MAX_OUTPUTS = 1 << 20;

    private static final int MAX_SAMPLES = 500;

    /** Doubles of every block before those of the metrics: what {@link Soundness} says of it. */
    private static final int SOUNDNESS = 2;

    /**
     * How the outputs of a block are.
     *
     * @param unsound how many samples have outputs that mean nothing
     * @param first index among all samples of the first of them; 0 where there is none
     */
    public record Soundness(long unsound, long first) {
        double[] values() {
            return new double[] {unsound, first};
        }
    }

    public EvaluationBlocks {
        metrics = List.copyOf(metrics);
    }

    /** Blocks for data of this signature. */
    public static EvaluationBlocks of(long samples, Signature signature, List<Metric> metrics) {
        long outputs = signature.target().outputs();
        if (signature.target().kind() == Signature.TargetKind.TOKENS) {
            outputs *= signature.inputs().get(0).shape().get(0);
        }
        int block = (int) Math.max(1, Math.min(MAX_SAMPLES, MAX_OUTPUTS / Math.max(1, outputs)));
        return new EvaluationBlocks(samples, block, signature.target(), metrics);
    }

    /** Number of blocks. */
    public int count() {
        return (int) ((samples + blockSamples - 1) / blockSamples);
    }

    /** First sample of a block. */
    public long from(int block) {
        return (long) block * blockSamples;
    }

    /** After the last sample of a block. */
    public long to(int block) {
        return Math.min(samples, from(block) + blockSamples);
    }

    /** Doubles of one block over all metrics. */
    public int valuesOf(int block) {
        int length = (int) (to(block) - from(block));
        return besides() + metrics.stream().mapToInt(m -> m.valuesOf(length)).sum();
    }

    /** Doubles of all blocks. */
    public long values() {
        int blocks = count();
        return blocks == 0 ? 0 : (long) valuesOf(0) * (blocks - 1) + valuesOf(blocks - 1);
    }

    /** Where a block's doubles begin. */
    public long offset(int block) {
        return (long) block * valuesOf(0);
    }

    /** Takes all doubles apart again: for one metric, its doubles of every block in order. */
    public List<double[]> valuesFor(int metric, double[] all) {
        List<double[]> blocks = new ArrayList<>();
        for (int block = 0; block < count(); block++) {
            int length = (int) (to(block) - from(block));
            int at = (int) offset(block) + besides();
            for (int m = 0; m < metric; m++) {
                at += metrics.get(m).valuesOf(length);
            }
            double[] values = new double[metrics.get(metric).valuesOf(length)];
            System.arraycopy(all, at, values, 0, values.length);
            blocks.add(values);
        }
        return blocks;
    }

    /** Doubles of every block before those of the metrics. */
    int besides() {
        return SOUNDNESS + LOSS.valuesOf(blockSamples) + confusion().values();
    }

    private Confusion confusion() {
        return new Confusion(target);
    }

    /** The doubles of a block before those of the metrics. */
    double[] besides(EvaluatedBlock block, Soundness soundness) {
        return Stream.of(soundness.values(), LOSS.values(block), confusion().values(block))
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }

    /** The mean of what is minimised, from all doubles. */
    double loss(double[] all) {
        return LOSS.figure(parts(all, SOUNDNESS, LOSS.valuesOf(blockSamples)));
    }

    /** What samples of each class are taken for, from all doubles. */
    List<List<Double>> confusion(double[] all) {
        int at = SOUNDNESS + LOSS.valuesOf(blockSamples);
        return confusion().rows(parts(all, at, confusion().values()));
    }

    private List<double[]> parts(double[] all, int from, int length) {
        List<double[]> parts = new ArrayList<>();
        for (int block = 0; block < count(); block++) {
            int at = (int) offset(block) + from;
            parts.add(Arrays.copyOfRange(all, at, at + length));
        }
        return parts;
    }

    /** What all blocks say of their outputs, from all doubles. */
    Soundness soundness(double[] all) {
        long unsound = 0;
        long first = 0;
        for (int block = count() - 1; block >= 0; block--) {
            int at = (int) offset(block);
            if (all[at] > 0) {
                unsound += (long) all[at];
                first = (long) all[at + 1];
            }
        }
        return new Soundness(unsound, first);
    }
}
