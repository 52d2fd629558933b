package dev.medley.record.report;

import dev.medley.base.text.Units;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.StepWord;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows what the run was, how it ended, and its figures at a glance. */
final class OverviewSection {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm:ss", Locale.ENGLISH);

    private OverviewSection() {}

    static String html(RunRecord run) {
        RunSummary summary = run.summary();
        StringBuilder html = new StringBuilder();
        html.append("<header><div class=\"title\"><h1>")
                .append(Html.text(run.folder().name()))
                .append("</h1><span class=\"state ")
                .append(summary.state().name().toLowerCase(Locale.ROOT))
                .append("\">")
                .append(spoken(summary.state()))
                .append("</span></div>\n<p class=\"about\">")
                .append(about(run))
                .append("</p>\n")
                .append(ending(summary, run.stillImproving()))
                .append("</header>\n<div class=\"tiles\">");
        tiles(run, html);
        return html.append("</div>\n").toString();
    }

    /** The state in one word for people. */
    static String spoken(RunStatus state) {
        return switch (state) {
            case RUNNING -> "running";
            case DONE -> "done";
            case INTERRUPTED -> "interrupted";
            case FAILED -> "failed";
            case VANISHED -> "vanished";
        };
    }

    private static String about(RunRecord run) {
        return "<code>"
                + Html.text(run.identity().command())
                + "</code> · "
                + TIME.format(
                        Instant.ofEpochMilli(run.summary().startedMillis())
                                .atZone(ZoneId.systemDefault()))
                + " · on "
                + Html.text(run.identity().process().host())
                + " · Medley "
                + Html.text(run.identity().version());
    }

    private static String ending(RunSummary summary, String advice) {
        String tone =
                switch (summary.state()) {
                    case FAILED, VANISHED -> "bad";
                    case INTERRUPTED -> "warn";
                    case RUNNING, DONE -> "good";
                };
        String resume =
                summary.resume() == null
                        ? ""
                        : "<br>To go on: <code>" + Html.text(summary.resume()) + "</code>";
        String missing =
                summary.unwrittenLines() == 0
                        ? ""
                        : "<br>The disk refused "
                                + Units.count(summary.unwrittenLines())
                                + " lines of this record.";
        return "<p class=\"ending "
                + tone
                + "\">"
                + Html.text(sentence(summary.message()))
                + resume
                + missing
                + (advice.isEmpty() ? "" : "<br>" + Html.text(advice))
                + "</p>\n";
    }

    private static void tiles(RunRecord run, StringBuilder html) {
        RunSummary summary = run.summary();
        StepWord word = run.stepWord();
        RunSummary.Best best = summary.best();
        if (best != null) {
            tile(
                    html,
                    "best " + best.metric().name(),
                    Units.metric(best.metric().value()),
                    "after %s %s%s".formatted(word.one(), Units.count(best.step()), target(run)));
        }
        for (MetricValue metric : summary.metrics().stream().skip(1).limit(2).toList()) {
            tile(html, "last " + metric.name(), Units.metric(metric.value()), "validation");
        }
        tile(
                html,
                "training loss",
                summary.steps() == 0 ? "–" : Units.metric(summary.loss()),
                summary.steps() == 0 ? "no step was taken" : "of the last " + word.one());
        tile(
                html,
                word.many()
                        + (word.batches().isEmpty()
                                ? ""
                                : " of %s steps".formatted(word.batches())),
                Units.count(summary.steps()),
                Units.count(summary.samples()) + " samples" + repeated(summary, word));
        tile(
                html,
                "samples per second",
                summary.trainingNs() == 0 ? "–" : rate(summary.samplesPerSecond()),
                summary.steps() == 0
                        ? "nothing to measure"
                        : Units.duration((double) summary.trainingNs() / summary.stepsTaken())
                                + " per "
                                + word.one());
        tile(html, "duration", Units.duration(summary.durationMillis() * 1e6), whereTo(run));
        tile(html, "workers", Units.count(summary.workers().size()), lost(summary));
    }

    private static String repeated(RunSummary summary, StepWord word) {
        return summary.repeatedSteps() == 0
                ? ""
                : ", with "
                        + Units.count(summary.repeatedSteps())
                        + " %s taken again".formatted(word.many());
    }

    private static String rate(double samplesPerSecond) {
        String spoken = Units.samplesPerSecond(samplesPerSecond);
        return spoken.substring(0, spoken.indexOf(' '));
    }

    private static String target(RunRecord run) {
        Double target = JobText.target(run.job());
        return target == null ? "" : ", target " + Units.metric(target);
    }

    /** What the run's time went to besides steps. */
    private static String whereTo(RunRecord run) {
        List<String> parts = new ArrayList<>();
        if (!run.steps().isEmpty() && run.steps().get(0).step() == 1) {
            StepRecord first = run.steps().get(0);
            double afterNs =
                    (first.wallMillis() - run.summary().startedMillis()) * 1e6 - first.stepNs();
            parts.add("first step after " + Units.duration(Math.max(0, afterNs)));
        }
        if (run.summary().evaluationNs() > 0) {
            parts.add(Units.duration((double) run.summary().evaluationNs()) + " evaluating");
        }
        return String.join(", ", parts);
    }

    private static String sentence(String words) {
        return words.isEmpty()
                ? ""
                : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private static String lost(RunSummary summary) {
        return switch (summary.lostWorkers()) {
            case 0 -> "none was lost";
            case 1 -> "1 was lost on the way";
            default -> summary.lostWorkers() + " were lost on the way";
        };
    }

    private static void tile(StringBuilder html, String name, String value, String note) {
        html.append("<div class=\"tile\"><span>")
                .append(Html.text(name))
                .append("</span><b>")
                .append(Html.text(value))
                .append("</b><small>")
                .append(Html.text(note))
                .append("</small></div>");
    }
}
