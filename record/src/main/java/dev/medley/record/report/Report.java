package dev.medley.record.report;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes the page of a run: one file that opens anywhere, without a network. Works for a run in any
 * state, of one step or of very many: curves are reduced to what a screen can show.
 */
public final class Report {
    private Report() {}

    /**
     * Writes {@code report.html} into a run's folder and returns its path. A folder that holds no
     * run, or cannot be written, is a {@link ConfigException}.
     */
    public static Path write(Path runFolder) {
        RunFolder folder = RunFolder.at(runFolder);
        String page = page(RunRecord.read(folder));
        Path temporary = runFolder.resolve(".report.html.tmp");
        try {
            Files.writeString(temporary, page);
            return Files.move(temporary, folder.report(), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ConfigException(folder.report() + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** The page as text. */
    static String page(RunRecord run) {
        return page(run, "");
    }

    /** The page of a run that goes on, which asks for itself again while it does. */
    public static String live(RunRecord run) {
        boolean isRunning = run.summary().state() == RunStatus.RUNNING;
        return page(run, isRunning ? "follow" : "over");
    }

    /** A page to show while there is no run yet, which asks for itself again. */
    public static String waiting() {
        return resource("waiting.html");
    }

    private static String page(RunRecord run, String live) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("live", live);
        parts.put("connect", live.isEmpty() ? "" : " connect-src 'self';");
        parts.put("title", Html.text(run.folder().name()) + " – Medley");
        parts.put("license", resource("uPlot-LICENSE.txt"));
        parts.put("uplotCss", resource("uPlot-1.6.32.min.css"));
        parts.put("css", resource("report.css"));
        parts.put("word", run.stepWord().one());
        parts.put("overview", OverviewSection.html(run));
        parts.put("learning", LearningSection.html(run));
        parts.put("evaluation", EvaluationHtml.html(run));
        parts.put("speed", SpeedSection.html(run));
        parts.put("workers", WorkersSection.html(run));
        parts.put("links", LinksSection.html(run));
        parts.put("events", EventsSection.html(run));
        parts.put("plans", PlanSection.html(run));
        parts.put("settings", SettingsSection.html(run));
        parts.put("files", FilesSection.html(run));
        parts.put("data", Html.json(Json.line(ChartData.of(run))));
        parts.put("uplotJs", resource("uPlot-1.6.32.iife.min.js"));
        parts.put("figuresJs", resource("figures.js"));
        parts.put("js", resource("report.js"));
        return filled(resource("report.html"), parts);
    }

    /**
     * A page from its template: every {@code {{name}}} is replaced by its part, and a part is not
     * looked through again.
     */
    public static String filled(String template, Map<String, String> parts) {
        StringBuilder page = new StringBuilder(1 << 18);
        int at = 0;
        while (true) {
            int open = template.indexOf("{{", at);
            if (open < 0) {
                return page.append(template, at, template.length()).toString();
            }
            int close = template.indexOf("}}", open);
            String name = template.substring(open + 2, close);
            String part = parts.get(name);
            if (part == null) {
                throw new IllegalStateException("the page has no part " + name);
            }
            page.append(template, at, open).append(part);
            at = close + 2;
        }
    }

    /** A file that pages are made of: the common style, and uPlot, which draws charts. */
    public static String resource(String name) {
        try (InputStream stream = Report.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
