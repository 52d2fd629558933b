package dev.medley.loop.page;

import dev.medley.loop.continuous.PublishStage;
import dev.medley.loop.continuous.RunningStanding;
import dev.medley.loop.state.DecisionRecord;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.LoopState;
import dev.medley.loop.state.StageOutcome;
import dev.medley.loop.state.StageRecord;
import dev.medley.record.report.Html;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes the page of a loop: one file without scripts, which needs no server and can be sent on.
 * While a run works the page asks its file anew every few seconds.
 */
public final class LoopPage {
    private static final int RUNS_SHOWN = 50;
    private static final int DECISIONS_SHOWN = 50;

    private LoopPage() {}

    /**
     * Writes it.
     *
     * @param stages names of the stages of a run, in their order
     * @param waits a sentence that says what the loop waits for
     */
    public static void write(Path file, LoopState state, List<String> stages, String waits)
            throws IOException {
        AtomicFile.write(file, html(state, stages, waits).getBytes(StandardCharsets.UTF_8));
    }

    static String html(LoopState state, List<String> stages, String waits) {
        List<LoopRun> runs = state.runs(RUNS_SHOWN);
        boolean isRunning = state.unended().isPresent();
        List<RunFigures> figures = RunFigures.of(state, runs);
        String sections =
                flow(state, runs, stages)
                        + metric(figures)
                        + Html.section(
                                "drift",
                                "What has changed, and what it costs",
                                WatchSection.html(figures))
                        + running(state)
                        + volumes(figures)
                        + Html.section("decisions", "What was decided", decisions(state))
                        + Html.section("runs", "Runs", runs(runs));
        return text("loop.html")
                .replace(
                        "{{refresh}}",
                        isRunning ? "<meta http-equiv=\"refresh\" content=\"5\">" : "")
                .replace("{{title}}", Html.text("Loop " + state.loop()))
                .replace("{{about}}", Html.text(waits))
                .replace("{{sections}}", sections);
    }

    private static String metric(List<RunFigures> figures) {
        String chart = Charts.metric(figures);
        return chart.isEmpty()
                ? ""
                : Html.section(
                        "metric",
                        "How well the model in production answers",
                        "<p class=\"note\"><span class=\"key line\"></span> on the newest labelled"
                            + " rows that it has not learnt from, with its interval <span"
                            + " class=\"key expected\"></span> to be expected of the newest rows,"
                            + " before their labels come</p>\n"
                                + chart);
    }

    private static String running(LoopState state) {
        return RunningStanding.of(state)
                .map(
                        standing ->
                                Html.section(
                                        "running",
                                        "What the running model learns",
                                        "<p>" + Html.text(standing.words()) + "</p>\n"))
                .orElse("");
    }

    private static String volumes(List<RunFigures> figures) {
        Set<String> sources = new TreeSet<>();
        figures.forEach(run -> sources.addAll(run.came().keySet()));
        StringBuilder html = new StringBuilder("<div class=\"charts\">\n");
        for (String source : sources) {
            html.append("<figure><figcaption>")
                    .append(Html.text(source))
                    .append("</figcaption>")
                    .append(Charts.volume(source, figures))
                    .append("</figure>\n");
        }
        return sources.isEmpty()
                ? ""
                : Html.section("volume", "New rows", html.append("</div>\n").toString());
    }

    private static boolean isPart(LoopRun run) {
        return run.cause().equals(PublishStage.NAME);
    }

    private static String flow(LoopState state, List<LoopRun> runs, List<String> stages) {
        if (runs.isEmpty()) {
            return Html.section("flow", "Flow", Html.empty("It has not run yet."));
        }
        LoopRun run = runs.get(0);
        List<StageRecord> done = state.stages(run.number());
        List<String> began = done.stream().map(StageRecord::name).toList();
        StringBuilder html = new StringBuilder("<ol class=\"flow\">\n");
        // A rollback and a publication have other stages than a run has.
        for (String stage : stages.containsAll(began) && !isPart(run) ? stages : began) {
            Optional<StageRecord> known =
                    done.stream().filter(record -> record.name().equals(stage)).findFirst();
            String kind = known.map(record -> word(record.outcome())).orElse("waits");
            html.append(
                    ("<li class=\"%1$s\"><b>%2$s</b><small>%3$s%4$s</small><small class=\"why\""
                                    + " title=\"%5$s\">%5$s</small></li>\n")
                            .formatted(
                                    kind,
                                    Html.text(stage),
                                    kind,
                                    known.map(LoopPage::took).orElse(""),
                                    Html.text(known.map(StageRecord::why).orElse(""))));
        }
        html.append("</ol>\n");
        return Html.section("flow", "Flow of run " + run.number(), html.toString());
    }

    private static String took(StageRecord stage) {
        Long ended = stage.endedMs();
        return ended == null ? "" : ", %.1f s".formatted((ended - stage.beganMs()) / 1000.0);
    }

    private static String decisions(LoopState state) {
        List<DecisionRecord> decisions = state.decisions(DECISIONS_SHOWN);
        if (decisions.isEmpty()) {
            return Html.empty("Nothing yet.");
        }
        StringBuilder html =
                new StringBuilder("<div class=\"tables\"><table><tr><th>When</th><th>Run</th>")
                        .append("<th>On</th><th>Verdict</th><th>Why</th></tr>\n");
        for (DecisionRecord each : decisions) {
            html.append(
                    ("<tr><td class=\"when\">%s</td><td>%d</td><td class=\"word\">%s</td>"
                                    + "<td class=\"word\"><b>%s</b></td><td>%s</td></tr>\n")
                            .formatted(
                                    time(each.atMs()),
                                    each.run(),
                                    Html.text(each.kind()),
                                    Html.text(each.verdict()),
                                    Html.text(each.why())));
        }
        return html.append("</table></div>\n").toString();
    }

    private static String runs(List<LoopRun> runs) {
        if (runs.isEmpty()) {
            return Html.empty("None yet.");
        }
        StringBuilder html =
                new StringBuilder("<div class=\"tables\"><table><tr><th>Run</th><th>Began</th>")
                        .append("<th>Ended</th><th>Cause</th><th>How</th><th>Why</th></tr>\n");
        for (LoopRun run : runs) {
            Long ended = run.endedMs();
            String kind = word(run.outcome());
            html.append(
                    ("<tr><td>%d</td><td class=\"when\">%s</td><td"
                                    + " class=\"when\">%s</td><td>%s</td><td><span class=\"state"
                                    + " %s\">%s</span></td><td>%s</td></tr>\n")
                            .formatted(
                                    run.number(),
                                    time(run.beganMs()),
                                    ended == null ? "" : time(ended),
                                    Html.text(run.cause()),
                                    kind,
                                    kind,
                                    Html.text(run.why())));
        }
        return html.append("</table></div>\n").toString();
    }

    private static String word(StageOutcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace('T', ' ');
    }

    private static String text(String resource) {
        try (InputStream in = LoopPage.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
