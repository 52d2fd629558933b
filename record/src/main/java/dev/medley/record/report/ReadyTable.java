package dev.medley.record.report;

import dev.medley.base.text.Units;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.record.entry.WorkerRecord;
import dev.medley.record.folder.RunRecord;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Shows what was known of workers when they were ready: their machines, and what they had tried.
 */
final class ReadyTable {
    private ReadyTable() {}

    /** Empty where nothing was asked: of processes of one machine whose speeds do not matter. */
    static String html(RunRecord run) {
        List<WorkerRecord> known =
                run.workers().stream()
                        .filter(w -> w.name() != null || !w.tried().isEmpty())
                        .toList();
        if (known.isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><thead><tr>");
        for (String head : List.of("worker", "machine", "ready after", "tried before it joined")) {
            html.append("<th>").append(head).append("</th>");
        }
        html.append("</tr></thead><tbody>");
        known.forEach(worker -> row(html, worker));
        return html.append("</tbody></table></div>\n<p class=\"note\">All that machines said of")
                .append(" themselves is in <a href=\"workers.jsonl\">workers.jsonl</a>.</p>\n")
                .toString();
    }

    private static void row(StringBuilder html, WorkerRecord worker) {
        html.append("<tr><th>worker-").append(worker.worker()).append("</th>");
        cell(html, machine(worker.name(), worker.machine()));
        cell(html, Units.duration((double) worker.startUpNs()));
        cell(
                html,
                worker.tried().stream().map(ReadyTable::spoken).collect(Collectors.joining("; ")));
        html.append("</tr>\n");
    }

    private static String machine(@Nullable String name, @Nullable JsonNode recorded) {
        if (name == null) {
            return "the run's own";
        }
        MachineProfile machine = MachineHtml.machine(recorded);
        return machine == null
                ? name
                : "%s: %s; %s".formatted(name, machine.typeAndMemory(), machine.look().why());
    }

    private static String spoken(WorkerRecord.Trial trial) {
        return "%s samples in %s, %s"
                .formatted(
                        Units.count(trial.samples()),
                        Units.duration((double) trial.ns()),
                        Units.samplesPerSecond(trial.samples() * 1e9 / trial.ns()));
    }

    private static void cell(StringBuilder html, String text) {
        html.append("<td>").append(Html.text(text)).append("</td>");
    }
}
