package dev.medley.record.report;

import dev.medley.base.text.Units;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows what happened besides steps: a timeline, and a table with the sentences. */
final class EventsSection {
    private static final int MOST_ROWS = 400;

    private EventsSection() {}

    static String html(RunRecord run) {
        List<RunEvent> events = run.events();
        if (events.isEmpty() && run.steps().isEmpty()) {
            return Html.section(
                    "events", "Events", Html.empty("Nothing was recorded before the run ended."));
        }
        StringBuilder html = new StringBuilder(Timeline.html(run));
        if (events.isEmpty()) {
            html.append(Html.empty("No events were recorded."));
            return Html.section("events", "Events", html.toString());
        }
        int left = Math.max(0, events.size() - MOST_ROWS);
        if (left > 0) {
            html.append("<p class=\"note\">The last ")
                    .append(MOST_ROWS)
                    .append(" of ")
                    .append(Units.count(events.size()))
                    .append(" events; all are in <a href=\"events.jsonl\">events.jsonl</a>.</p>");
        }
        html.append("<div class=\"scroll tall\"><table class=\"events\"><thead><tr><th>time</th>")
                .append(
                        "<th>"
                                + run.stepWord().one()
                                + "</th><th>what</th><th>details</th></tr></thead><tbody>");
        long startMillis = run.summary().startedMillis();
        events.subList(left, events.size()).forEach(event -> row(html, event, startMillis));
        html.append("</tbody></table></div>\n");
        return Html.section("events", "Events", html.toString());
    }

    private static void row(StringBuilder html, RunEvent event, long startMillis) {
        String kind = event.kind().name().toLowerCase(Locale.ROOT);
        html.append("<tr><td>")
                .append(clock((event.wallMillis() - startMillis) / 1000))
                .append("</td><td>")
                .append(event.step() == 0 ? "–" : Units.count(event.step()))
                .append("</td><td><span class=\"kind ")
                .append(kind)
                .append("\">")
                .append(kind)
                .append("</span> ")
                .append(Html.text(event.message()))
                .append("</td><td>")
                .append(details(event))
                .append("</td></tr>\n");
    }

    private static String details(RunEvent event) {
        List<String> details = new ArrayList<>();
        if (event.stallNs() != null) {
            details.add("stalled training " + Units.duration(event.stallNs()));
        }
        if (event.durationNs() != null) {
            details.add("took " + Units.duration(event.durationNs()));
        }
        if (event.bytes() != null) {
            details.add(Units.bytes(event.bytes()));
        }
        String text = Html.text(String.join(", ", details));
        String value = event.value();
        if (value == null) {
            return text;
        }
        String shown = value.length() > 16 ? value.substring(0, 16) + "…" : value;
        return text
                + (text.isEmpty() ? "" : ", ")
                + "<code title=\""
                + Html.text(value)
                + "\">"
                + Html.text(shown)
                + "</code>";
    }

    /** {@code 3:07} or {@code 1:02:07}. */
    private static String clock(long seconds) {
        long positive = Math.max(0, seconds);
        long hours = positive / 3600;
        String tail = String.format(Locale.ROOT, "%02d", positive % 60);
        return hours == 0
                ? positive / 60 + ":" + tail
                : String.format(Locale.ROOT, "%d:%02d:%s", hours, positive / 60 % 60, tail);
    }
}
