package dev.medley.base.evaluation;

import dev.medley.base.evaluation.Chart.Axis;
import dev.medley.base.evaluation.Chart.Line;
import dev.medley.base.evaluation.Chart.Look;
import dev.medley.base.evaluation.Chart.Mark;
import dev.medley.base.evaluation.Chart.Scale;
import dev.medley.base.evaluation.ScoreCurves.Cut;
import dev.medley.base.evaluation.ScoreCurves.Decision;
import dev.medley.base.evaluation.ScoreCurves.Lift;
import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Draws the charts and tables of {@link ScoreCurves} from its cuts. */
final class CurveCharts {
    private CurveCharts() {}

    static List<String> sentences(ScoreCurves curves) {
        List<String> said = new ArrayList<>();
        said.add(
                "Positive is %s: %s of %s samples, %s. Area under the ROC curve %s, under the"
                                .formatted(
                                        curves.positive(),
                                        ConfusionMatrix.spoken(curves.positives()),
                                        ConfusionMatrix.spoken(
                                                curves.positives() + curves.negatives()),
                                        Units.percent(rate(curves)),
                                        Units.metric(curves.auc()))
                        + " precision-recall curve %s."
                                .formatted(Units.metric(curves.averagePrecision())));
        if (curves.chosen() != null) {
            said.add(curves.decides());
        }
        return said;
    }

    private static double rate(ScoreCurves curves) {
        return curves.positives() / (curves.positives() + curves.negatives());
    }

    static List<ReportTable> tables(ScoreCurves curves) {
        return List.of(decisions(curves), lifts(curves));
    }

    private static ReportTable decisions(ScoreCurves curves) {
        boolean hasProfit = curves.decisions().stream().anyMatch(d -> d.profit() != null);
        List<String> heads =
                new ArrayList<>(
                        List.of(
                                "threshold",
                                "from",
                                "precision",
                                "recall",
                                "F1",
                                "accuracy",
                                "Youden's J"));
        if (hasProfit) {
            heads.add("profit");
        }
        List<List<String>> rows = new ArrayList<>();
        for (Decision each : curves.decisions()) {
            List<String> row =
                    new ArrayList<>(
                            List.of(
                                    spoken(each.name()),
                                    Units.metric(each.cut().probability()),
                                    Units.metric(each.precision()),
                                    Units.metric(each.recall()),
                                    Units.metric(each.f1()),
                                    Units.metric(each.accuracy()),
                                    Units.metric(each.youden())));
            if (hasProfit) {
                Double profit = each.profit();
                row.add(profit == null ? "" : ConfusionMatrix.spoken(profit));
            }
            rows.add(row);
        }
        return ReportTable.plain("Thresholds of the probability", heads, rows);
    }

    private static String spoken(String name) {
        return switch (name) {
            case ScoreCurves.USUAL, ScoreCurves.MODELS -> name;
            case "f1" -> "best F1";
            case "youden" -> "best Youden's J";
            default -> "best " + name;
        };
    }

    private static ReportTable lifts(ScoreCurves curves) {
        List<List<String>> rows = new ArrayList<>();
        for (Lift lift : curves.lifts()) {
            rows.add(
                    List.of(
                            Units.percent(lift.part()),
                            Units.percent(lift.gain()),
                            Units.metric(lift.lift())));
        }
        return ReportTable.plain(
                "Gain and lift", List.of("highest scores", "positives found", "lift"), rows);
    }

    static List<Chart> of(ScoreCurves curves) {
        List<Chart> charts =
                new ArrayList<>(
                        List.of(
                                roc(curves),
                                precisionRecall(curves),
                                gain(curves),
                                lift(curves),
                                threshold(curves)));
        DecisionThreshold chosen = curves.chosen();
        if (chosen != null && chosen.by().isOfProfit()) {
            charts.add(profit(curves, chosen.by()));
        }
        return charts;
    }

    private static Chart roc(ScoreCurves curves) {
        List<Double> wrong = each(curves, cut -> cut.falsePositives() / curves.negatives());
        return new Chart(
                "roc",
                "ROC curve",
                "area " + Units.metric(curves.auc()),
                new Axis("false positive rate", Scale.PERCENT),
                new Axis("true positive rate", Scale.PERCENT),
                wrong,
                List.of(
                        new Line("true positives", Look.LINE, found(curves)),
                        new Line("chance", Look.DASHED, wrong),
                        probability(curves)));
    }

    private static Chart precisionRecall(ScoreCurves curves) {
        return new Chart(
                "precision-recall",
                "Precision and recall",
                "average precision " + Units.metric(curves.averagePrecision()),
                new Axis("recall", Scale.PERCENT),
                new Axis("precision", Scale.PERCENT),
                found(curves),
                List.of(
                        new Line("precision", Look.LINE, each(curves, CurveCharts::precision)),
                        new Line("chance", Look.DASHED, each(curves, cut -> rate(curves))),
                        probability(curves)));
    }

    /** Not a number where nothing is taken. */
    private static double precision(Cut cut) {
        return cut.truePositives() / (cut.truePositives() + cut.falsePositives());
    }

    private static Chart gain(ScoreCurves curves) {
        List<Double> taken = taken(curves);
        return new Chart(
                "gain",
                "Cumulative gain",
                "positives found among the samples that score highest",
                new Axis("samples taken", Scale.PERCENT),
                new Axis("positives found", Scale.PERCENT),
                taken,
                List.of(
                        new Line("found", Look.LINE, found(curves)),
                        new Line(
                                "perfect",
                                Look.DASHED,
                                taken.stream().map(p -> Math.min(1, p / rate(curves))).toList()),
                        new Line("chance", Look.DASHED, taken),
                        probability(curves)));
    }

    private static Chart lift(ScoreCurves curves) {
        return new Chart(
                "lift",
                "Lift",
                "how many times more positives than among samples drawn blindly",
                new Axis("samples taken", Scale.PERCENT),
                new Axis("lift, times", Scale.FROM_ZERO),
                taken(curves),
                List.of(
                        new Line(
                                "lift",
                                Look.LINE,
                                each(curves, cut -> precision(cut) / rate(curves))),
                        new Line("chance", Look.DASHED, each(curves, cut -> 1)),
                        probability(curves)));
    }

    private static Chart threshold(ScoreCurves curves) {
        List<Decision> rising = new ArrayList<>();
        for (Cut cut : curves.cuts()) {
            if (cut.truePositives() + cut.falsePositives() > 0) {
                rising.add(Decision.of("", cut, curves.positives(), curves.negatives(), null));
            }
        }
        Collections.reverse(rising);
        return new Chart(
                "threshold",
                "Threshold",
                "what is found and how much of it is right, from which probability on",
                new Axis("threshold of the probability", Scale.PERCENT),
                new Axis("part", Scale.PERCENT),
                rising.stream().map(each -> each.cut().probability()).toList(),
                List.of(
                        line("precision", rising, Decision::precision),
                        line("recall", rising, Decision::recall),
                        line("F1", rising, Decision::f1),
                        line("accuracy", rising, Decision::accuracy)),
                curves.decision(ScoreCurves.MODELS)
                        .map(own -> List.of(new Mark(own.cut().probability(), "the model's")))
                        .orElse(List.of()));
    }

    private static Chart profit(ScoreCurves curves, ThresholdSpec gains) {
        return new Chart(
                "profit",
                "Profit",
                "of all samples together, by how many are taken",
                new Axis("samples taken", Scale.PERCENT),
                new Axis("profit", Scale.FROM_ZERO),
                taken(curves),
                List.of(
                        new Line(
                                "profit",
                                Look.LINE,
                                each(
                                        curves,
                                        cut ->
                                                gains.profit(
                                                        cut.truePositives(),
                                                        cut.falsePositives(),
                                                        curves.positives(),
                                                        curves.negatives()))),
                        probability(curves)),
                curves.decision(ScoreCurves.MODELS)
                        .map(own -> List.of(new Mark(taken(curves, own.cut()), "the model's")))
                        .orElse(List.of()));
    }

    private static Line line(String name, List<Decision> of, ToDoubleFunction<Decision> figure) {
        return new Line(name, Look.LINE, of.stream().mapToDouble(figure).boxed().toList());
    }

    private static Line probability(ScoreCurves curves) {
        return new Line(
                "from probability",
                Look.TOLD,
                each(curves, cut -> cut.probability() > 1 ? Double.NaN : cut.probability()));
    }

    private static List<Double> found(ScoreCurves curves) {
        return each(curves, cut -> cut.truePositives() / curves.positives());
    }

    private static List<Double> taken(ScoreCurves curves) {
        return each(curves, cut -> taken(curves, cut));
    }

    private static double taken(ScoreCurves curves, Cut cut) {
        return (cut.truePositives() + cut.falsePositives())
                / (curves.positives() + curves.negatives());
    }

    private static List<Double> each(ScoreCurves curves, ToDoubleFunction<Cut> figure) {
        return curves.cuts().stream().mapToDouble(figure).boxed().toList();
    }
}
