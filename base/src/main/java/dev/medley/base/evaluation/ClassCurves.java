package dev.medley.base.evaluation;

import dev.medley.base.evaluation.Chart.Axis;
import dev.medley.base.evaluation.Chart.Line;
import dev.medley.base.evaluation.Chart.Look;
import dev.medley.base.evaluation.Chart.Scale;
import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The curves of a classifier of several classes, each class against all others. Areas are exact
 * over the samples that were looked at. Samples count what they weigh.
 *
 * @param looked samples that were looked at
 * @param samples of the whole evaluation
 * @param falsePositiveRates at which the ROC curves are given, ascending
 * @param recalls at which precisions are given, ascending
 * @param classes in order, without those of which no sample was looked at
 */
public record ClassCurves(
        long looked,
        long samples,
        List<Double> falsePositiveRates,
        List<Double> recalls,
        List<OfClass> classes)
        implements EvaluationSection {
    private static final int MOST_DRAWN = 8;

    public ClassCurves {
        falsePositiveRates = List.copyOf(falsePositiveRates);
        recalls = List.copyOf(recalls);
        classes = List.copyOf(classes);
    }

    /**
     * The curves of one class.
     *
     * @param name of the class
     * @param support what its samples weigh
     * @param auc area under the ROC curve
     * @param averagePrecision area under the precision-recall curve, without lines between points
     * @param truePositiveRates at each false positive rate
     * @param precisions at each recall
     */
    public record OfClass(
            String name,
            double support,
            double auc,
            double averagePrecision,
            List<Double> truePositiveRates,
            List<Double> precisions) {
        public OfClass {
            truePositiveRates = List.copyOf(truePositiveRates);
            precisions = List.copyOf(precisions);
        }
    }

    /** Mean area under the ROC curves, each class counting alike. */
    public double meanAuc() {
        return classes.stream().mapToDouble(OfClass::auc).average().orElse(Double.NaN);
    }

    @Override
    public String title() {
        return "Each class against the others";
    }

    @Override
    public List<String> sentences() {
        String of =
                looked == samples
                        ? ""
                        : " Looked at were %s of %s samples, at equal distances."
                                .formatted(Units.count(looked), Units.count(samples));
        return List.of(
                "Mean area under the ROC curves %s.%s".formatted(Units.metric(meanAuc()), of));
    }

    @Override
    public List<ReportTable> tables() {
        List<List<String>> rows = new ArrayList<>();
        for (OfClass each : classes) {
            rows.add(
                    List.of(
                            each.name(),
                            Units.metric(each.auc()),
                            Units.metric(each.averagePrecision()),
                            ConfusionMatrix.spoken(each.support())));
        }
        return List.of(
                ReportTable.plain(
                        "Areas", List.of("class", "ROC", "average precision", "support"), rows));
    }

    @Override
    public List<Chart> charts() {
        List<Line> rising = lines(OfClass::truePositiveRates);
        rising.add(new Line("chance", Look.DASHED, falsePositiveRates));
        return List.of(
                new Chart(
                        "class-roc",
                        "ROC curves",
                        about(),
                        new Axis("false positive rate", Scale.PERCENT),
                        new Axis("true positive rate", Scale.PERCENT),
                        falsePositiveRates,
                        rising),
                new Chart(
                        "class-precision-recall",
                        "Precision and recall",
                        about(),
                        new Axis("recall", Scale.PERCENT),
                        new Axis("precision", Scale.PERCENT),
                        recalls,
                        lines(OfClass::precisions)));
    }

    private String about() {
        return classes.size() <= MOST_DRAWN
                ? "each class against all others"
                : "the %d classes of %d with the least area".formatted(MOST_DRAWN, classes.size());
    }

    private List<Line> lines(Function<OfClass, List<Double>> values) {
        List<OfClass> drawn =
                classes.stream()
                        .sorted(Comparator.comparingDouble(OfClass::auc))
                        .limit(MOST_DRAWN)
                        .toList();
        List<Line> lines = new ArrayList<>();
        classes.stream()
                .filter(drawn::contains)
                .forEach(each -> lines.add(new Line(each.name(), Look.LINE, values.apply(each))));
        return lines;
    }
}
