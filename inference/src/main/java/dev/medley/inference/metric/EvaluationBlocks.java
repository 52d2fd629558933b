package dev.medley.inference.metric;

import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The fixed blocks of an evaluation, and the places of their values among those of all. They depend
 * only on the data and the metrics, so that the figures do not depend on how many workers there
 * are.
 */
public final class EvaluationBlocks {
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

    private final long samples;
    private final int blockSamples;
    private final List<Metric> metrics;
    private final List<ReportPart> parts;
    private final Metric loss;
    private final Confusion confusion;

    /** Whose doubles a block holds, each once: the loss, the matrix, metrics and the report. */
    private final List<BlockValues> sources;

    /**
     * Blocks.
     *
     * @param samples to evaluate
     * @param blockSamples of every block but the last
     * @param target what is predicted
     * @param metrics whose values are exchanged
     * @param parts of the report, whose values are, too
     */
    public EvaluationBlocks(
            long samples,
            int blockSamples,
            Target target,
            List<Metric> metrics,
            List<ReportPart> parts) {
        this.samples = samples;
        this.blockSamples = blockSamples;
        this.metrics = List.copyOf(metrics);
        this.parts = List.copyOf(parts);
        this.loss = Metrics.loss(target);
        this.confusion = new Confusion(target);
        this.sources =
                Stream.of(List.of(loss, confusion), metrics, parts)
                        .flatMap(List::stream)
                        .map(BlockValues::source)
                        .distinct()
                        .toList();
    }

    /** Blocks whose evaluation has no report. */
    public EvaluationBlocks(long samples, int blockSamples, Target target, List<Metric> metrics) {
        this(samples, blockSamples, target, metrics, List.of());
    }

    /** Blocks for data of this signature. */
    public static EvaluationBlocks of(
            long samples, Signature signature, List<Metric> metrics, List<ReportPart> parts) {
        long outputs = signature.target().outputs();
        if (signature.target().kind() == Signature.TargetKind.TOKENS) {
            outputs *= signature.inputs().get(0).shape().get(0);
        }
        int block = (int) Math.max(1, Math.min(MAX_SAMPLES, MAX_OUTPUTS / Math.max(1, outputs)));
        return new EvaluationBlocks(samples, block, signature.target(), metrics, parts);
    }

    /** Samples of all blocks. */
    public long samples() {
        return samples;
    }

    /** What is computed. */
    public List<Metric> metrics() {
        return metrics;
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

    /** Doubles of one block. */
    public int valuesOf(int block) {
        int length = (int) (to(block) - from(block));
        return SOUNDNESS + sources.stream().mapToInt(s -> s.valuesOf(length)).sum();
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

    /** The doubles of one block, as those of all sources. */
    double[] values(EvaluatedBlock block, Soundness soundness) {
        return Stream.concat(
                        Stream.of(soundness.values()),
                        sources.stream().map(source -> source.values(block)))
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }

    /** Takes all doubles apart again: of one source, those of every block in order. */
    List<double[]> valuesFor(BlockValues source, double[] all) {
        List<double[]> blocks = new ArrayList<>();
        for (int block = 0; block < count(); block++) {
            int length = (int) (to(block) - from(block));
            int at = (int) offset(block) + SOUNDNESS;
            for (BlockValues before : sources) {
                if (before.equals(source)) {
                    break;
                }
                at += before.valuesOf(length);
            }
            blocks.add(Arrays.copyOfRange(all, at, at + source.valuesOf(length)));
        }
        return blocks;
    }

    double figure(Metric metric, double[] all) {
        return metric.figure(valuesFor(metric.source(), all));
    }

    /** The mean of what is minimised, from all doubles. */
    double loss(double[] all) {
        return figure(loss, all);
    }

    /** What samples of each class are taken for, from all doubles. */
    List<List<Double>> confusion(double[] all) {
        return confusion.rows(valuesFor(confusion, all));
    }

    /** The sections of a report, computed from all doubles when they are asked for. */
    Supplier<List<EvaluationSection>> sections(double[] all) {
        return parts.isEmpty() ? Evaluation.NO_REPORT : () -> sectionsOf(all);
    }

    private List<EvaluationSection> sectionsOf(double[] all) {
        return parts.stream()
                .flatMap(part -> part.sections(valuesFor(part.source(), all)).stream())
                .toList();
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
