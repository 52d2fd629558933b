package dev.medley.record.report;

import dev.medley.base.text.Units;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RunRecord;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Draws which workers were present when, and what happened meanwhile, on one axis of time. */
final class Timeline {
    private static final int MOST_LANES = 24;
    private static final int MOST_TICKS = 300;

    private final RunRecord run;
    private final long startMillis;
    private final double spanMillis;

    private Timeline(RunRecord run) {
        this.run = run;
        this.startMillis = run.summary().startedMillis();
        this.spanMillis = Math.max(1, endMillis(run) - startMillis);
    }

    /** The lanes as HTML; places are percentages, so that the page may have any width. */
    static String html(RunRecord run) {
        return new Timeline(run).lanes();
    }

    private String lanes() {
        StringBuilder html = new StringBuilder("<div class=\"timeline\">");
        Map<Integer, long[]> lives = lives();
        lives.entrySet().stream().limit(MOST_LANES).forEach(life -> worker(html, life));
        lane(html, "plans", ticks(RunEvent.Kind.PLAN));
        lane(html, "evaluations", evaluations());
        lane(html, "checkpoints", ticks(RunEvent.Kind.CHECKPOINT));
        if (html.indexOf("class=\"lane") < 0) {
            return "";
        }
        html.append("<div class=\"lane axis\"><span></span><div>");
        for (int i = 0; i <= 4; i++) {
            html.append("<em style=\"left:")
                    .append(25 * i)
                    .append("%\">")
                    .append(i == 0 ? "0" : Units.duration(spanMillis * 1e6 * i / 4))
                    .append("</em>");
        }
        html.append("</div></div></div>\n");
        return lives.size() > MOST_LANES
                ? html + Html.empty((lives.size() - MOST_LANES) + " more workers are not shown.")
                : html.toString();
    }

    private void worker(StringBuilder html, Map.Entry<Integer, long[]> life) {
        long[] fromTo = life.getValue();
        boolean isLost =
                run.events().stream()
                        .anyMatch(
                                event ->
                                        event.kind() == RunEvent.Kind.LOST
                                                && life.getKey().equals(event.worker()));
        lane(
                html,
                Html.text(run.names().of(life.getKey())),
                "<i class=\"life"
                        + (isLost ? " lost" : "")
                        + "\" style=\"left:"
                        + place(fromTo[0])
                        + ";width:"
                        + percent((fromTo[1] - fromTo[0]) / spanMillis)
                        + "\" title=\""
                        + Html.text(run.names().of(life.getKey()))
                        + (isLost ? ", lost" : "")
                        + "\"></i>");
    }

    private static void lane(StringBuilder html, String name, String content) {
        if (!content.isEmpty()) {
            html.append("<div class=\"lane\"><span>")
                    .append(name)
                    .append("</span><div>")
                    .append(content)
                    .append("</div></div>\n");
        }
    }

    private String ticks(RunEvent.Kind kind) {
        StringBuilder html = new StringBuilder();
        run.events().stream()
                .filter(event -> event.kind() == kind)
                .limit(MOST_TICKS)
                .forEach(event -> tick(html, kind.name(), event.wallMillis(), event.message()));
        return html.toString();
    }

    private String evaluations() {
        StringBuilder html = new StringBuilder();
        int every = 1 + run.evaluations().size() / MOST_TICKS;
        for (int i = 0; i < run.evaluations().size(); i += every) {
            EvaluationRecord evaluation = run.evaluations().get(i);
            tick(
                    html,
                    "EVALUATION",
                    evaluation.wallMillis(),
                    "evaluation after %s %s"
                            .formatted(run.stepWord().one(), Units.count(evaluation.step())));
        }
        return html.toString();
    }

    private void tick(StringBuilder html, String kind, long millis, String words) {
        html.append("<i class=\"tick ")
                .append(kind.toLowerCase(Locale.ROOT))
                .append("\" style=\"left:")
                .append(place(millis))
                .append("\" title=\"")
                .append(Html.text(words))
                .append("\"></i>");
    }

    /** From the first to the last sign of each worker: its events, and the steps it took. */
    private Map<Integer, long[]> lives() {
        Map<Integer, long[]> lives = new TreeMap<>();
        for (RunEvent event : run.events()) {
            if (event.worker() != null) {
                sign(lives, event.worker(), event.wallMillis());
            }
        }
        for (StepRecord step : run.steps()) {
            for (WorkerTimes worker : step.workers()) {
                sign(lives, worker.worker(), step.wallMillis());
            }
        }
        return lives;
    }

    private static void sign(Map<Integer, long[]> lives, int worker, long millis) {
        long[] life = lives.computeIfAbsent(worker, id -> new long[] {millis, millis});
        life[0] = Math.min(life[0], millis);
        life[1] = Math.max(life[1], millis);
    }

    private static long endMillis(RunRecord run) {
        long end = run.summary().updatedMillis();
        for (RunEvent event : run.events()) {
            end = Math.max(end, event.wallMillis());
        }
        return run.steps().isEmpty()
                ? end
                : Math.max(end, run.steps().get(run.steps().size() - 1).wallMillis());
    }

    private String place(long millis) {
        return percent(Math.max(0, Math.min(1, (millis - startMillis) / spanMillis)));
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * part);
    }
}
