package dev.medley.base.evaluation;

import dev.medley.base.evaluation.Chart.Axis;
import dev.medley.base.evaluation.Chart.Line;
import dev.medley.base.evaluation.Chart.Look;
import dev.medley.base.evaluation.Chart.Scale;
import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.List;

/**
 * The residuals of a regression: what is true less what was predicted, in the units of what is
 * predicted. Of very many samples every so many-th is looked at.
 *
 * @param looked how many samples were looked at
 * @param samples of all
 * @param mean of the residuals; away from 0 where predictions are too low or too high throughout
 * @param deviation standard deviation around it
 * @param quantiles some of their distribution, ascending
 * @param bins their histogram: the outermost hold all that lies beyond
 * @param points some hundred samples, by rising prediction
 */
public record RegressionResiduals(
        long looked,
        long samples,
        double mean,
        double deviation,
        List<Quantile> quantiles,
        List<Bin> bins,
        List<Point> points)
        implements EvaluationSection {
    public RegressionResiduals {
        quantiles = List.copyOf(quantiles);
        bins = List.copyOf(bins);
        points = List.copyOf(points);
    }

    /**
     * The residual below which a part of the samples lies.
     *
     * @param part from 0 to 1
     * @param residual at most
     */
    public record Quantile(double part, double residual) {}

    /**
     * The samples with residuals from one value to another.
     *
     * @param middle between the two
     * @param weight of the samples
     */
    public record Bin(double middle, double weight) {}

    /**
     * A sample.
     *
     * @param predicted what the model said
     * @param residual what is true less that
     */
    public record Point(double predicted, double residual) {}

    @Override
    public String title() {
        return "Residuals";
    }

    @Override
    public List<String> sentences() {
        List<String> said = new ArrayList<>();
        said.add(
                "What is true less what was predicted: %s on average, standard deviation %s."
                        .formatted(Units.metric(mean), Units.metric(deviation)));
        if (looked < samples) {
            said.add(
                    "Of %s samples, %s at equal distances were looked at."
                            .formatted(Units.count(samples), Units.count(looked)));
        }
        return said;
    }

    @Override
    public List<ReportTable> tables() {
        List<List<String>> rows = new ArrayList<>();
        for (Quantile quantile : quantiles) {
            rows.add(List.of(Units.percent(quantile.part()), Units.metric(quantile.residual())));
        }
        return List.of(
                ReportTable.plain(
                        "Quantiles of the residuals", List.of("of samples", "at most"), rows));
    }

    @Override
    public List<Chart> charts() {
        double all = bins.stream().mapToDouble(Bin::weight).sum();
        List<Double> zeros = points.stream().map(point -> 0.0).toList();
        return List.of(
                new Chart(
                        "residuals",
                        "Residuals",
                        "of samples; a pattern is something that the model has not learnt",
                        new Axis("predicted", Scale.LINEAR),
                        new Axis("true less predicted", Scale.LINEAR),
                        points.stream().map(Point::predicted).toList(),
                        List.of(
                                new Line(
                                        "residual",
                                        Look.DOTS,
                                        points.stream().map(Point::residual).toList()),
                                new Line("as predicted", Look.DASHED, zeros))),
                new Chart(
                        "residual-histogram",
                        "Distribution of the residuals",
                        "the outermost bars hold all beyond",
                        new Axis("true less predicted", Scale.LINEAR),
                        new Axis("part of the samples", Scale.FROM_ZERO),
                        bins.stream().map(Bin::middle).toList(),
                        List.of(
                                new Line(
                                        "part",
                                        Look.BARS,
                                        bins.stream().map(bin -> bin.weight() / all).toList()))));
    }
}
