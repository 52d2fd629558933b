package dev.medley.base.evaluation;

import dev.medley.base.evaluation.Chart.Axis;
import dev.medley.base.evaluation.Chart.Line;
import dev.medley.base.evaluation.Chart.Look;
import dev.medley.base.evaluation.Chart.Scale;
import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The calibration of a classifier: whether what it gives a probability comes as often. Of two
 * classes the probability of the second, of several that of the class which is said. The expected
 * calibration error is the mean distance of the two over the bins, each by its weight (Naeini,
 * Cooper and Hauskrecht 2015).
 *
 * @param event what is to come
 * @param expectedError from 0 to 1
 * @param bins of equal width, in order; those without samples are left out
 */
public record CalibrationCurve(String event, double expectedError, List<Bin> bins)
        implements EvaluationSection {
    /** So many bins of equal width. */
    public static final int BINS = 10;

    public CalibrationCurve {
        bins = List.copyOf(bins);
    }

    /**
     * The samples of one bin.
     *
     * @param predicted mean of their probabilities
     * @param observed part of them for which the event came
     * @param weight what they weigh
     */
    public record Bin(double predicted, double observed, double weight) {}

    /** The bin of a probability: each has its upper edge, the first its lower one too. */
    public static int binOf(double probability) {
        int bin = 0;
        while (bin < BINS - 1 && probability > (bin + 1) / (double) BINS) {
            bin++;
        }
        return bin;
    }

    /**
     * From the sums of each bin.
     *
     * @param weights of the samples
     * @param probabilities times weights
     * @param events weights of those for which it came
     */
    public static CalibrationCurve of(
            String event, double[] weights, double[] probabilities, double[] events) {
        List<Bin> bins = new ArrayList<>();
        double all = 0;
        double off = 0;
        for (int b = 0; b < weights.length; b++) {
            if (weights[b] > 0) {
                bins.add(
                        new Bin(probabilities[b] / weights[b], events[b] / weights[b], weights[b]));
                all += weights[b];
                off += Math.abs(events[b] - probabilities[b]);
            }
        }
        return new CalibrationCurve(event, all > 0 ? off / all : 0, bins);
    }

    @Override
    public String title() {
        return "Calibration";
    }

    @Override
    public List<String> sentences() {
        return List.of(
                "The probability of %s is off by %s on average (expected calibration error)."
                        .formatted(event, Units.metric(expectedError)));
    }

    @Override
    public List<ReportTable> tables() {
        List<List<String>> rows = new ArrayList<>();
        for (Bin bin : bins) {
            rows.add(
                    List.of(
                            Units.metric(bin.predicted()),
                            Units.metric(bin.observed()),
                            ConfusionMatrix.spoken(bin.weight())));
        }
        return List.of(
                ReportTable.plain(
                        "Probability of " + event, List.of("said", "came", "samples"), rows));
    }

    @Override
    public List<Chart> charts() {
        double all = bins.stream().mapToDouble(Bin::weight).sum();
        Axis said = new Axis("probability said", Scale.PERCENT);
        return List.of(
                new Chart(
                        "calibration",
                        "Calibration",
                        "how often it came; on the dashed line, as often as said",
                        said,
                        new Axis("part for which it came", Scale.PERCENT),
                        each(Bin::predicted),
                        List.of(
                                new Line("came", Look.DOTS, each(Bin::observed)),
                                new Line("as said", Look.DASHED, each(Bin::predicted)),
                                new Line("samples", Look.TOLD, each(Bin::weight)))),
                new Chart(
                        "probabilities",
                        "Probabilities",
                        "how many samples got which",
                        said,
                        new Axis("part of the samples", Scale.FROM_ZERO),
                        each(bin -> (binOf(bin.predicted()) + 0.5) / BINS),
                        List.of(new Line("part", Look.BARS, each(bin -> bin.weight() / all)))));
    }

    private List<Double> each(ToDoubleFunction<Bin> figure) {
        return bins.stream().mapToDouble(figure).boxed().toList();
    }
}
