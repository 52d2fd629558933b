package dev.medley.record.report;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.text.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the page of a simulation: what each strategy makes of growing numbers of machines, as
 * plots with logarithmic axes and as a table. One file that opens anywhere, without a network.
 */
public final class ScalingReport {
    /**
     * What was simulated.
     *
     * @param title of the page
     * @param about it, line by line
     * @param currency of costs; null where there are none
     */
    public record Subject(String title, List<String> about, @Nullable String currency) {}

    /** A strategy, with a point for each number of machines, ascending. */
    public record Line(String strategy, List<Point> points) {}

    /**
     * A strategy on so many machines.
     *
     * @param machines that take part
     * @param batch samples of one batch over all machines
     * @param samplesPerSecond of all of them
     * @param speedUp over one machine of the mean speed
     * @param efficiency part of the sum of speeds that is left
     * @param hours of the whole training
     * @param borderBytesPerSample over the slowest link between sites
     * @param betweenBytes of the whole training over all links between sites
     * @param insideBytes of the whole training inside sites
     * @param cost of the training; null where no prices are given
     */
    public record Point(
            int machines,
            int batch,
            double samplesPerSecond,
            double speedUp,
            double efficiency,
            double hours,
            double borderBytesPerSample,
            double betweenBytes,
            double insideBytes,
            @Nullable Double cost) {}

    private ScalingReport() {}

    /** Writes the page and returns its path; a file that cannot be written is refused. */
    public static Path write(Path file, Subject subject, List<Line> lines) {
        try {
            Files.writeString(file, page(subject, lines));
            return file;
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + " cannot be written: there is no such folder", e);
        } catch (IOException e) {
            throw new ConfigException(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** The page as text. */
    static String page(Subject subject, List<Line> lines) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("title", Html.text(subject.title()) + " – Medley");
        parts.put("license", Report.resource("uPlot-LICENSE.txt"));
        parts.put("uplotCss", Report.resource("uPlot-1.6.32.min.css"));
        parts.put("css", Report.resource("report.css"));
        parts.put("overview", overview(subject));
        parts.put("charts", charts(subject));
        parts.put("table", table(subject, lines));
        parts.put("data", Html.json(Json.line(lines)));
        parts.put("uplotJs", Report.resource("uPlot-1.6.32.iife.min.js"));
        parts.put("js", Report.resource("scaling.js"));
        return Report.filled(Report.resource("scaling.html"), parts);
    }

    private static String overview(Subject subject) {
        StringBuilder html = new StringBuilder("<header><div class=\"title\"><h1>");
        html.append(Html.text(subject.title())).append("</h1></div>");
        subject.about()
                .forEach(
                        line ->
                                html.append("<p class=\"about\">")
                                        .append(Html.text(line))
                                        .append("</p>"));
        return html.append("</header>\n").toString();
    }

    private static String charts(Subject subject) {
        StringBuilder html = new StringBuilder("<div class=\"grid\">");
        html.append(Html.chart("speedUp", "Speed-up", "over one machine of the mean speed"));
        html.append(Html.chart("efficiency", "Efficiency", "percent of the sum of all speeds"));
        html.append(Html.chart("hours", "Hours", "of the whole training"));
        html.append(
                Html.chart(
                        "borderBytesPerSample",
                        "Bytes per sample",
                        "over the slowest link between sites, both ways"));
        if (subject.currency() != null) {
            html.append(Html.chart("cost", "Cost", subject.currency() + " of the whole training"));
        }
        return Html.section("plots", "Plots", html.append("</div>").toString());
    }

    private static String table(Subject subject, List<Line> lines) {
        StringBuilder html = new StringBuilder("<div class=\"scroll\"><table class=\"numbers\">");
        html.append("<thead><tr><th>strategy</th><th>machines</th><th>batch</th>");
        html.append("<th>samples/s</th><th>speed-up</th><th>efficiency</th><th>hours</th>");
        html.append("<th>bytes between sites</th><th>bytes inside sites</th>");
        html.append("<th>bytes/sample between sites</th>");
        if (subject.currency() != null) {
            html.append("<th>cost, ").append(Html.text(subject.currency())).append("</th>");
        }
        html.append("</tr></thead><tbody>");
        for (Line line : lines) {
            for (Point point : line.points()) {
                html.append(row(line.strategy(), point, subject.currency() != null));
            }
        }
        return Html.section("table", "Table", html.append("</tbody></table></div>").toString());
    }

    private static String row(String strategy, Point point, boolean isPriced) {
        String cells =
                String.format(
                        Locale.ROOT,
                        "<tr><th>%s</th><td>%,d</td><td>%,d</td><td>%,.0f</td><td>%,.2f</td>"
                                + "<td>%.1f %%</td><td>%,.3f</td><td>%s</td><td>%s</td>"
                                + "<td>%,.0f</td>",
                        Html.text(strategy),
                        point.machines(),
                        point.batch(),
                        point.samplesPerSecond(),
                        point.speedUp(),
                        100 * point.efficiency(),
                        point.hours(),
                        Units.bytes(point.betweenBytes()),
                        Units.bytes(point.insideBytes()),
                        point.borderBytesPerSample());
        Double cost = point.cost();
        String price =
                cost == null ? "<td></td>" : String.format(Locale.ROOT, "<td>%,.2f</td>", cost);
        return cells + (isPriced ? price : "") + "</tr>";
    }
}
