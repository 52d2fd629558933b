package dev.medley.record.report;

import dev.medley.base.ConfigException;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.text.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the page of an evaluation: one file that opens anywhere, without a network. */
public final class EvaluationPage {
    private EvaluationPage() {}

    /**
     * Writes the page and returns its path; a file that cannot be written is refused.
     *
     * @param title what was evaluated on what
     */
    public static Path write(Path file, String title, EvaluationReport report) {
        try {
            Files.writeString(file, page(title, report));
            return file;
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + " cannot be written: there is no such folder", e);
        } catch (IOException e) {
            throw new ConfigException(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static String page(String title, EvaluationReport report) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("title", Html.text(title) + " – Medley");
        parts.put("license", Report.resource("uPlot-LICENSE.txt"));
        parts.put("uplotCss", Report.resource("uPlot-1.6.32.min.css"));
        parts.put("css", Report.resource("report.css"));
        parts.put("overview", overview(title, report));
        parts.put("evaluation", EvaluationHtml.html(report));
        parts.put("uplotJs", Report.resource("uPlot-1.6.32.iife.min.js"));
        parts.put("figuresJs", Report.resource("figures.js"));
        return Report.filled(Report.resource("evaluation.html"), parts);
    }

    private static String overview(String title, EvaluationReport report) {
        StringBuilder html = new StringBuilder("<header><div class=\"title\"><h1>");
        html.append(Html.text(title)).append("</h1></div></header>\n<div class=\"tiles\">");
        report.metrics()
                .forEach(
                        (name, value) ->
                                html.append("<div class=\"tile\"><span>")
                                        .append(Html.text(name))
                                        .append("</span><b>")
                                        .append(value == null ? "–" : Units.metric(value))
                                        .append("</b></div>"));
        return html.append("</div>\n").toString();
    }
}
