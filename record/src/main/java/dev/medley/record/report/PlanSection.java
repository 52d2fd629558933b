package dev.medley.record.report;

import dev.medley.base.MeasuredRoute;
import dev.medley.base.text.Units;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.WorkerNames;
import java.util.ArrayList;
import java.util.List;

/** Shows the plans that held, each with its reason. */
final class PlanSection {
    private static final int MOST_ROWS = 200;

    private PlanSection() {}

    static String html(RunRecord run) {
        if (run.plans().isEmpty()) {
            return Html.section(
                    "plan",
                    "Plan",
                    Html.empty(
                            run.steps().isEmpty()
                                    ? "The run ended before a plan was made."
                                    : "No plan was recorded."));
        }
        StringBuilder html = new StringBuilder();
        html.append(
                        "<div class=\"scroll tall\"><table class=\"plans\"><thead><tr><th>from"
                                + " %s</th>".formatted(run.stepWord().one()))
                .append("<th>samples per worker</th><th>why</th></tr></thead><tbody>");
        List<PlanRecord> plans = run.plans();
        int left = Math.max(0, plans.size() - MOST_ROWS);
        WorkerNames names = run.names();
        plans.stream().skip(left).forEach(plan -> row(html, plan, names));
        html.append("</tbody></table></div>\n");
        if (left > 0) {
            html.append("<p class=\"note\">").append(left);
            html.append(" earlier plans are in <a href=\"plan.jsonl\">plan.jsonl</a>.</p>");
        }
        return Html.section("plan", "Plan", html.toString());
    }

    private static String route(PlanRecord record) {
        MeasuredRoute route = record.plan().route();
        return route == null || route.isUsual() ? "" : "; " + route.why();
    }

    private static void row(StringBuilder html, PlanRecord record, WorkerNames names) {
        List<String> shares = new ArrayList<>();
        List<Integer> counts = record.plan().shares();
        for (int rank = 0; rank < counts.size(); rank++) {
            String who =
                    rank < record.workers().size()
                            ? names.of(record.workers().get(rank))
                            : "rank " + rank;
            boolean isCut = !record.plan().microBatches().isEmpty();
            String parts =
                    isCut ? " in parts of " + Units.count(record.plan().microBatch(rank)) : "";
            shares.add(who + ": " + Units.count(counts.get(rank)) + parts);
        }
        html.append("<tr><td>")
                .append(Units.count(record.fromStep()))
                .append("</td><td>")
                .append(Html.text(String.join(", ", shares)))
                .append(", at most ")
                .append(Units.count(record.plan().microBatch()))
                .append(" at once</td><td>")
                .append(Html.text(names.in(record.plan().why() + route(record))))
                .append("</td></tr>\n");
    }
}
