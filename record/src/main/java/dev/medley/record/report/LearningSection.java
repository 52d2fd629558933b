package dev.medley.record.report;

import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.util.List;

/** Shows loss, metrics, learning rate and gradient norm. */
final class LearningSection {
    private LearningSection() {}

    static String html(RunRecord run) {
        return Html.section(
                "learning",
                "Learning",
                "<div class=\"grid\">" + charts(run) + "</div>" + marks(run));
    }

    private static String charts(RunRecord run) {
        StringBuilder html = new StringBuilder();
        boolean hasSteps = !run.steps().isEmpty();
        html.append(
                hasSteps
                        ? Html.chart(
                                "loss",
                                "Loss",
                                "of each step, its trend, and on the validation samples")
                        : Html.noChart("Loss", "No step was applied, so there is no loss."));
        html.append(metrics(run));
        if (hasSteps) {
            html.append(Html.chart("rate", "Learning rate", "as applied"));
            if (run.steps().stream()
                    .mapToDouble(StepRecord::gradientNormOrNaN)
                    .anyMatch(Double::isFinite)) {
                html.append(
                        Html.chart("norm", "Gradient norm", "of all parameters, before clipping"));
            }
        }
        return html.toString();
    }

    private static String marks(RunRecord run) {
        return run.steps().isEmpty() || run.events().isEmpty()
                ? ""
                : "<p class=\"note\">Dashed lines: the group, the plan or the precision changed;"
                      + " red: a worker was lost. Drag across a chart to look closer, double-click"
                      + " to see all again.</p>";
    }

    private static String metrics(RunRecord run) {
        if (run.evaluations().isEmpty()) {
            return Html.noChart(
                    "Metrics",
                    run.steps().isEmpty()
                            ? "The run ended before the first evaluation."
                            : "No evaluation was made so far; train.evaluate_every says how"
                                    + " often.");
        }
        StringBuilder html = new StringBuilder();
        List<MetricValue> metrics = run.evaluations().get(0).metrics();
        int ofAll = run.evaluations().stream().mapToInt(e -> e.metrics().size()).min().orElse(0);
        for (int i = 0; i < ofAll; i++) {
            if (!metrics.get(i).name().equals("loss")) {
                html.append(
                        Html.chart(
                                "metric-" + i,
                                metrics.get(i).name(),
                                i == 0
                                        ? "on the validation samples; decides about the best model"
                                        : "on the validation samples"));
            }
        }
        return html.toString();
    }
}
