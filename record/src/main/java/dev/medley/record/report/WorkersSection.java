package dev.medley.record.report;

import dev.medley.base.text.Units;
import dev.medley.record.entry.WorkerTotals;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;

/** Shows what each worker's time was spent on, over the whole run. */
final class WorkersSection {
    private static final List<String> PHASES =
            List.of("compute", "exchange", "waiting", "data", "other");

    private WorkersSection() {}

    static String html(RunRecord run) {
        List<WorkerTotals> workers =
                run.summary().workers().stream().filter(w -> w.steps() > 0).toList();
        if (workers.isEmpty()) {
            return Html.section(
                    "workers", "Workers", Html.empty("No worker finished a step in this run."));
        }
        StringBuilder html = new StringBuilder("<p class=\"legend\">");
        for (String phase : PHASES) {
            html.append("<span><i class=\"").append(phase).append("\"></i>").append(phase);
            html.append("</span>");
        }
        html.append("</p>\n<div class=\"bars\">");
        double longestNs =
                workers.stream().mapToDouble(w -> (double) w.stepNs() / w.steps()).max().orElse(1);
        workers.forEach(worker -> bar(html, run.names().of(worker.worker()), worker, longestNs));
        html.append("</div>\n<div class=\"scroll\"><table class=\"numbers\"><thead><tr>");
        for (String head :
                List.of(
                        "worker",
                        run.stepWord().many(),
                        "samples",
                        "share",
                        "compute",
                        "exchange",
                        "waiting",
                        "data",
                        "other",
                        "sent",
                        "peak memory",
                        "log")) {
            html.append("<th>").append(head).append("</th>");
        }
        html.append("</tr></thead><tbody>");
        workers.forEach(worker -> row(html, run, worker));
        html.append("</tbody></table></div>\n<p class=\"note\">")
                .append(
                        "Times are means per %s of the training thread. Exchange is what backward"
                                .formatted(run.stepWord().one()))
                .append(" did not hide; waiting is for the slower workers.</p>\n")
                .append(ReadyTable.html(run));
        for (String loss : run.summary().lossSentences(run.stepWord().one())) {
            html.append("<p class=\"note\">").append(Html.text(run.names().in(loss)));
            html.append(".</p>\n");
        }
        return Html.section("workers", "Workers", html.toString());
    }

    private static void bar(
            StringBuilder html, String name, WorkerTotals worker, double longestNs) {
        double stepNs = (double) worker.stepNs() / worker.steps();
        html.append("<div class=\"bar\"><span class=\"who\">")
                .append(Html.text(name))
                .append("</span><div class=\"track\"><div class=\"fill\" style=\"width:")
                .append(percent(stepNs / longestNs))
                .append("\">");
        double[] parts = parts(worker);
        for (int i = 0; i < parts.length; i++) {
            double part = parts[i] / Math.max(1, worker.stepNs());
            String words = PHASES.get(i) + " " + Units.percent(part);
            if (part > 0.0005) {
                html.append("<span class=\"part ")
                        .append(PHASES.get(i))
                        .append("\" style=\"width:")
                        .append(percent(part))
                        .append("\" title=\"")
                        .append(words)
                        .append("\">")
                        .append(part > 0.07 ? Units.percent(part) : "")
                        .append("</span>");
            }
        }
        html.append("</div></div><span class=\"total\">")
                .append(Units.duration(stepNs))
                .append("</span></div>\n");
    }

    private static void row(StringBuilder html, RunRecord run, WorkerTotals worker) {
        html.append("<tr><th>").append(Html.text(run.names().of(worker.worker()))).append("</th>");
        cell(html, Units.count(worker.steps()));
        cell(html, Units.count(worker.samples()));
        cell(html, Units.percent(share(run, worker)));
        for (double part : parts(worker)) {
            cell(html, Units.duration(part / worker.steps()));
        }
        cell(html, Units.bytes((double) worker.sentBytes()));
        cell(
                html,
                worker.peakResidentBytes() == 0
                        ? "–"
                        : Units.bytes((double) worker.peakResidentBytes()));
        html.append("<td>").append(log(run.folder(), worker.worker())).append("</td></tr>\n");
    }

    private static double share(RunRecord run, WorkerTotals worker) {
        long all = run.summary().workers().stream().mapToLong(WorkerTotals::samples).sum();
        return all == 0 ? 0 : (double) worker.samples() / all;
    }

    private static String log(RunFolder folder, int worker) {
        if (!Files.exists(folder.log(worker))) {
            return "–";
        }
        String path = folder.path().relativize(folder.log(worker)).toString().replace('\\', '/');
        return "<a href=\"" + Html.text(path) + "\">log</a>";
    }

    private static double[] parts(WorkerTotals worker) {
        return new double[] {
            worker.computeNs(),
            worker.exchangeNs(),
            worker.waitingNs(),
            worker.dataNs(),
            worker.otherNs()
        };
    }

    private static void cell(StringBuilder html, String text) {
        html.append("<td>").append(Html.text(text)).append("</td>");
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * part);
    }
}
