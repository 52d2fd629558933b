package dev.medley.record.report;

import dev.medley.base.ConfigException;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.text.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes pages of sections with charts and tables, that of an evaluation among them: each one file
 * that opens anywhere, without a network.
 */
public final class EvaluationPage {
    private EvaluationPage() {}

    /**
     * Writes the page and returns its path; a file that cannot be written is refused.
     *
     * @param title what was evaluated on what
     */
    public static Path write(Path file, String title, EvaluationReport report) {
        return written(
                file,
                page(
                        title,
                        overview(title, report),
                        "<a href=\"#evaluation\">Evaluation</a>",
                        EvaluationHtml.html(report)));
    }

    /**
     * Writes a page of other figures and returns its path; a file that cannot be written is
     * refused.
     *
     * @param about what the figures are of, in one line
     */
    public static Path writeFigures(
            Path file, String title, String about, List<EvaluationSection> sections) {
        String head =
                "<header><div class=\"title\"><h1>" + Html.text(title) + "</h1></div></header>";
        return written(
                file, page(title, head, links(sections), EvaluationHtml.figures(about, sections)));
    }

    private static String links(List<EvaluationSection> sections) {
        StringBuilder html = new StringBuilder();
        for (int i = 0; i < sections.size(); i++) {
            html.append("<a href=\"#part-%d\">".formatted(i));
            html.append(Html.text(sections.get(i).title())).append("</a>");
        }
        return html.toString();
    }

    private static Path written(Path file, String page) {
        try {
            Files.writeString(file, page);
            return file;
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + " cannot be written: there is no such folder", e);
        } catch (IOException e) {
            throw new ConfigException(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static String page(String title, String overview, String links, String figures) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("title", Html.text(title) + " – Medley");
        parts.put("license", Report.resource("uPlot-LICENSE.txt"));
        parts.put("uplotCss", Report.resource("uPlot-1.6.32.min.css"));
        parts.put("css", Report.resource("report.css"));
        parts.put("overview", overview);
        parts.put("parts", links);
        parts.put("figures", figures);
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
