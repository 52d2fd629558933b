package dev.medley.record.report;

import dev.medley.base.Json;
import dev.medley.base.evaluation.Chart;
import dev.medley.base.evaluation.ClassResults;
import dev.medley.base.evaluation.ConfusionMatrix;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.evaluation.ReportTable;
import dev.medley.base.text.Units;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.folder.RunRecord;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows an evaluation: its sections, whatever they are, with their charts and tables. */
final class EvaluationHtml {
    private EvaluationHtml() {}

    /** Of a run: that of its best model. */
    static String html(RunRecord run) {
        EvaluationReport report = run.evaluation();
        EvaluationReport shown = report == null ? ofMatrix(run) : report;
        return shown == null || shown.sections().isEmpty()
                ? Html.section(
                        "evaluation",
                        "Evaluation",
                        Html.empty("There is nothing to show besides the metrics above."))
                : html(shown);
    }

    static String html(EvaluationReport report) {
        return Html.section(
                "evaluation", "Evaluation", articles(sentence(report), report.sections()));
    }

    /** Sections that are no evaluation. */
    static String figures(String about, List<EvaluationSection> sections) {
        return "<section id=\"figures\">\n" + articles(about, sections) + "</section>\n";
    }

    private static String articles(String about, List<EvaluationSection> sections) {
        StringBuilder html = new StringBuilder("<p class=\"note\">");
        html.append(Html.text(about)).append("</p>");
        for (int i = 0; i < sections.size(); i++) {
            EvaluationSection section = sections.get(i);
            html.append("<article id=\"part-%d\"><h3>".formatted(i))
                    .append(Html.text(section.title()))
                    .append("</h3>");
            section.sentences()
                    .forEach(s -> html.append("<p>").append(Html.text(s)).append("</p>\n"));
            charts(html, section.charts());
            html.append("<div class=\"tables\">");
            section.tables().forEach(table -> table(html, table));
            html.append("</div></article>\n");
        }
        return html.toString();
    }

    private static String sentence(EvaluationReport report) {
        String count = Units.count(report.samples());
        return "%s: %s"
                .formatted(report.of(), report.samples() == 1 ? "1 sample" : count + " samples");
    }

    /** Records of older runs have the matrix of an evaluation and nothing else of it. */
    private static @Nullable EvaluationReport ofMatrix(RunRecord run) {
        RunSummary.Best best = run.summary().best();
        EvaluationRecord shown = null;
        for (EvaluationRecord evaluation : run.evaluations()) {
            boolean isBest = best != null && evaluation.step() == best.step();
            boolean isShown = shown != null && best != null && shown.step() == best.step();
            shown = isBest || !isShown ? evaluation : shown;
        }
        ConfusionMatrix matrix = shown == null ? null : shown.confusion();
        if (shown == null || matrix == null) {
            return null;
        }
        double all = matrix.rows().stream().flatMap(List::stream).mapToDouble(n -> n).sum();
        return new EvaluationReport(
                "Validation samples after %s %s"
                        .formatted(run.stepWord().one(), Units.count(shown.step())),
                Math.round(all),
                Map.of(),
                List.of(ClassResults.of(matrix, null)));
    }

    private static void charts(StringBuilder html, List<Chart> charts) {
        if (charts.isEmpty()) {
            return;
        }
        html.append("<div class=\"grid\">");
        for (Chart chart : charts) {
            html.append("<figure class=\"chart\" data-figure=\"")
                    .append(Html.text(chart.name()))
                    .append("\"><figcaption><b>")
                    .append(Html.text(chart.title()))
                    .append("</b> <span>")
                    .append(Html.text(chart.about()))
                    .append("</span></figcaption><div class=\"plot\"></div>")
                    .append("<script type=\"application/json\">")
                    .append(Html.json(Json.line(Drawn.of(chart))))
                    .append("</script></figure>\n");
        }
        html.append("</div>");
    }

    /** What the script draws of a chart; a null is a gap. */
    private record Drawn(
            Chart.Axis x,
            Chart.Axis y,
            List<@Nullable Number> at,
            List<Line> lines,
            List<Chart.Mark> marks) {
        record Line(String name, Chart.Look look, List<@Nullable Number> values) {}

        static Drawn of(Chart chart) {
            return new Drawn(
                    chart.x(),
                    chart.y(),
                    numbers(chart.at()),
                    chart.lines().stream()
                            .map(l -> new Line(l.name(), l.look(), numbers(l.values())))
                            .toList(),
                    chart.marks());
        }

        private static List<@Nullable Number> numbers(List<Double> values) {
            return ChartData.numbers(values.stream().mapToDouble(v -> v).toArray());
        }
    }

    private static void table(StringBuilder html, ReportTable table) {
        html.append("<div><h4>").append(Html.text(table.title())).append("</h4>");
        html.append("<div class=\"scroll\"><table class=\"numbers ")
                .append(table.look().name().toLowerCase(Locale.ROOT))
                .append("\"><thead><tr>");
        table.heads().forEach(head -> html.append("<th>").append(Html.text(head)).append("</th>"));
        html.append("</tr></thead><tbody>");
        for (int row = 0; row < table.rows().size(); row++) {
            cells(
                    html,
                    table.rows().get(row),
                    table.parts().isEmpty() ? List.of() : table.parts().get(row));
        }
        html.append("</tbody></table></div></div>");
    }

    private static void cells(StringBuilder html, List<String> row, List<Double> parts) {
        html.append("<tr><th>").append(Html.text(row.get(0))).append("</th>");
        for (int column = 1; column < row.size(); column++) {
            html.append("<td");
            if (!parts.isEmpty()) {
                html.append(" style=\"--part:")
                        .append(Math.round(100 * parts.get(column - 1)))
                        .append("%\"");
            }
            html.append(">").append(Html.text(row.get(column))).append("</td>");
        }
        html.append("</tr>\n");
    }
}
