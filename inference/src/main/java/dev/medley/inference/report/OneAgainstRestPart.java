package dev.medley.inference.report;

import dev.medley.base.evaluation.ClassCurves;
import dev.medley.base.evaluation.ClassCurves.OfClass;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.evaluation.ScoreCurves;
import dev.medley.base.evaluation.ScoreCurves.Cut;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.inference.metric.EvaluatedBlock;
import dev.medley.inference.metric.Predictions;
import dev.medley.inference.metric.ReportPart;
import dev.medley.inference.metric.Scores;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes the curves of each of several classes against the others. Of a sample a block gives its
 * class, its weight, and for each class the log-odds of its probability. Where these would be more
 * than {@code most} doubles, every so many-th sample of each block is looked at.
 *
 * @param target with the names of the classes
 * @param samples of the whole evaluation
 * @param most doubles of all samples, about
 */
record OneAgainstRestPart(Target target, long samples, long most) implements ReportPart {
    /** For evaluations within a training, whose doubles travel: half a megabyte. */
    static final long MOST_IN_TRAINING = 1 << 16;

    /** For an evaluation that somebody asked for: 32 MiB. */
    static final long MOST_ALONE = 1 << 22;

    /** More classes have no curves, as they have no matrix. */
    static final int MOST_CLASSES = 32;

    private static final int BESIDE = 2;
    private static final int POINTS = 100;

    private int ofSample() {
        return BESIDE + target.outputs();
    }

    private int stride() {
        return (int) Math.max(1, (samples * ofSample() + most - 1) / most);
    }

    @Override
    public int valuesOf(int count) {
        return ofSample() * ((count + stride() - 1) / stride());
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        Predictions predictions = new Predictions(block, TargetKind.CLASSES);
        double[] values = new double[valuesOf(block.samples())];
        float[] logits = new float[predictions.width()];
        for (int i = 0, at = 0; i < predictions.count(); i += stride(), at += ofSample()) {
            predictions.outputs(i, logits);
            values[at] = predictions.truth(i);
            values[at + 1] = predictions.weight(i);
            for (int c = 0; c < logits.length; c++) {
                values[at + BESIDE + c] = logits[c] - logOfOthers(logits, c);
            }
        }
        return values;
    }

    /** The logarithm of the sum of the other classes' exponentials. */
    private static double logOfOthers(float[] logits, int without) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int c = 0; c < logits.length; c++) {
            largest = c == without ? largest : Math.max(largest, logits[c]);
        }
        double sum = 0;
        for (int c = 0; c < logits.length; c++) {
            sum += c == without ? 0 : Math.exp(logits[c] - largest);
        }
        return largest + Math.log(sum);
    }

    @Override
    public List<EvaluationSection> sections(List<double[]> blocks) {
        List<Double> rates =
                IntStream.rangeClosed(0, POINTS)
                        .mapToObj(i -> (double) i * i / (POINTS * POINTS))
                        .toList();
        List<Double> recalls =
                IntStream.rangeClosed(0, POINTS).mapToObj(i -> (double) i / POINTS).toList();
        List<OfClass> classes = new ArrayList<>();
        for (int c = 0; c < target.outputs(); c++) {
            curves(blocks, c, rates, recalls, classes);
        }
        long looked = blocks.stream().mapToLong(block -> block.length / ofSample()).sum();
        return classes.isEmpty()
                ? List.of()
                : List.of(new ClassCurves(looked, samples, rates, recalls, classes));
    }

    private void curves(
            List<double[]> blocks,
            int of,
            List<Double> rates,
            List<Double> recalls,
            List<OfClass> into) {
        List<double[]> scores = blocks.stream().map(block -> scores(block, of)).toList();
        double positives = sum(scores, 1);
        double negatives = sum(scores, -1);
        if (positives == 0 || negatives == 0) {
            return;
        }
        CurvePass pass = new CurvePass(positives, negatives, null, Double.NaN);
        Scores.Levels level = Scores.descending(scores);
        while (level.next()) {
            double probability = 1 / (1 + Math.exp(-level.score()));
            pass.take(probability, level.positive(), level.negative());
        }
        boolean areNamed = target.labels().size() == target.outputs();
        String name = areNamed ? target.labels().get(of) : Integer.toString(of);
        ScoreCurves curves = pass.curves(name, null, null);
        into.add(
                new OfClass(
                        name,
                        positives,
                        curves.auc(),
                        curves.averagePrecision(),
                        rates.stream().map(rate -> found(curves, rate)).toList(),
                        recalls.stream().map(recall -> precision(curves, recall)).toList()));
    }

    /** Score and weight, with a minus where the sample is of another class. */
    private double[] scores(double[] block, int of) {
        int count = block.length / ofSample();
        double[] scores = new double[2 * count];
        for (int i = 0; i < count; i++) {
            int at = i * ofSample();
            scores[2 * i] = block[at + BESIDE + of];
            scores[2 * i + 1] = block[at] == of ? block[at + 1] : -block[at + 1];
        }
        return scores;
    }

    private static double sum(List<double[]> scores, int sign) {
        double sum = 0;
        for (double[] block : scores) {
            for (int i = 1; i < block.length; i += 2) {
                sum += Math.max(0, sign * block[i]);
            }
        }
        return sum;
    }

    /** The part of the class that is found at a false positive rate, on lines between cuts. */
    private static double found(ScoreCurves curves, double rate) {
        double wanted = rate * curves.negatives();
        Cut before = curves.cuts().get(0);
        for (Cut cut : curves.cuts()) {
            if (cut.falsePositives() > wanted) {
                double way =
                        (wanted - before.falsePositives())
                                / (cut.falsePositives() - before.falsePositives());
                return (before.truePositives()
                                + way * (cut.truePositives() - before.truePositives()))
                        / curves.positives();
            }
            before = cut;
        }
        return 1;
    }

    /** The precision at the first cut that finds so much. */
    private static double precision(ScoreCurves curves, double recall) {
        Cut reached = curves.cuts().get(curves.cuts().size() - 1);
        for (Cut cut : curves.cuts()) {
            double taken = cut.truePositives() + cut.falsePositives();
            if (taken > 0 && cut.truePositives() >= recall * curves.positives()) {
                reached = cut;
                break;
            }
        }
        return reached.truePositives() / (reached.truePositives() + reached.falsePositives());
    }
}
