package dev.medley.record.report;

import dev.medley.base.text.Units;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;

/** Shows how fast training was, and what the time of a step was spent on. */
final class SpeedSection {
    private SpeedSection() {}

    static String html(RunRecord run) {
        if (run.steps().isEmpty()) {
            return Html.section(
                    "speed", "Speed", Html.empty("No step was applied, so no speed was measured."));
        }
        StringBuilder html = new StringBuilder("<div class=\"grid\">");
        html.append(Html.chart("speed", "Samples per second", "of the whole group"));
        html.append(
                Html.chart(
                        "time",
                        "Time of a " + run.stepWord().one(),
                        "milliseconds, mean over the workers; rare long ones are cut"));
        html.append(
                Html.chart(
                        "shares",
                        "Shares",
                        "percent of a %s's samples, by worker".formatted(run.stepWord().one())));
        boolean hasMemory =
                run.steps().stream()
                        .flatMap(step -> step.workers().stream())
                        .anyMatch(worker -> worker.residentBytes() > 0);
        html.append(
                hasMemory
                        ? Html.chart("memory", "Memory", "resident, in MiB, by worker")
                        : Html.noChart("Memory", "The workers did not report their memory."));
        html.append("</div>");
        return Html.section("speed", "Speed", html + thinned(run));
    }

    private static String thinned(RunRecord run) {
        StepRecord last = run.steps().get(run.steps().size() - 1);
        long taken = last.step() - run.steps().get(0).step() + 1;
        return run.steps().size() >= taken
                ? ""
                : "<p class=\"note\">To stay small, the record keeps "
                        + Units.count(run.steps().size())
                        + " of "
                        + Units.count(taken)
                        + " steps, evenly spread. Totals count all of them.</p>";
    }
}
