package dev.medley.cli.fleet.study;

import dev.medley.base.evaluation.Chart;
import dev.medley.base.evaluation.Chart.Axis;
import dev.medley.base.evaluation.Chart.Line;
import dev.medley.base.evaluation.Chart.Look;
import dev.medley.base.evaluation.Chart.Scale;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.evaluation.ReportTable;
import dev.medley.base.text.Units;
import dev.medley.fleet.simulation.QueueSample;
import dev.medley.fleet.simulation.SimulatedJob;
import dev.medley.fleet.simulation.SimulationResult;
import dev.medley.record.report.EvaluationPage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Shows simulated policies to people: a table in plain text, and a page with plots. */
final class FleetReport {
    private static final int POINTS = 240;

    private final String title;
    private final String currency;
    private final List<SimulationResult> runs;
    private final List<PolicyResult> results;

    /** Of runs on the same fleet, with their results in the same order. */
    FleetReport(
            String title,
            String currency,
            List<SimulationResult> runs,
            List<PolicyResult> results) {
        this.title = title;
        this.currency = currency;
        this.runs = List.copyOf(runs);
        this.results = List.copyOf(results);
    }

    /** A part of the page. */
    private record Part(
            String title, List<String> sentences, List<ReportTable> tables, List<Chart> charts)
            implements EvaluationSection {}

    List<String> lines() {
        return summary().text().lines().toList();
    }

    /** Writes the page into a file and returns it; one that cannot be written is refused. */
    Path write(Path file, String about) {
        Part summary = new Part("Summary", List.of(), List.of(summary()), List.of());
        Part queue =
                new Part(
                        "Queue",
                        List.of(),
                        List.of(),
                        List.of(
                                overTime(
                                        "waiting",
                                        "Waiting",
                                        "jobs that hold nothing",
                                        "jobs",
                                        QueueSample::waiting),
                                overTime(
                                        "running",
                                        "Running",
                                        "jobs that hold machines",
                                        "jobs",
                                        QueueSample::running)));
        Part completion = new Part("Completion times", List.of(), List.of(), List.of(completion()));
        List<ReportTable> used = new ArrayList<>(List.of(utilization()));
        used.addAll(costs());
        Part use = new Part("Machines", List.of(), used, List.of(busy()));
        return EvaluationPage.writeFigures(
                file, title, about, List.of(summary, queue, completion, use));
    }

    private ReportTable summary() {
        boolean priced = results.stream().allMatch(r -> r.cost() != null);
        List<String> heads = new ArrayList<>(List.of("policy", "jobs", "mean JCT, h"));
        heads.addAll(List.of("median, h", "p99, h", "waiting, h", "last end, h", "in use"));
        runs.get(0).types().forEach(type -> heads.add(type.name()));
        if (priced) {
            heads.add("cost, " + currency);
        }
        heads.addAll(List.of("decision, ms", "longest, ms"));
        List<List<String>> rows = new ArrayList<>();
        for (PolicyResult result : results) {
            PolicyResult.Completion c = result.completion();
            List<String> row = new ArrayList<>();
            row.add(result.policy());
            row.add(Units.count(result.jobs()));
            for (double s : List.of(c.meanS(), c.medianS(), c.p99S(), c.meanWaitS())) {
                row.add(hours(s));
            }
            row.add(hours(c.makespanS()));
            row.add(Units.percent(result.utilization()));
            result.utilizationByType().values().forEach(part -> row.add(Units.percent(part)));
            Double cost = result.cost();
            if (priced && cost != null) {
                row.add(say("%,.2f", cost));
            }
            row.add(say("%.3f", result.decision().meanMs()));
            row.add(say("%.1f", result.decision().longestMs()));
            rows.add(row);
        }
        return ReportTable.plain("What became of the jobs", heads, rows);
    }

    private ReportTable utilization() {
        List<String> heads = new ArrayList<>(List.of("policy"));
        runs.get(0).types().forEach(type -> heads.add(type.name()));
        List<List<String>> rows = new ArrayList<>();
        List<List<Double>> parts = new ArrayList<>();
        for (PolicyResult result : results) {
            List<String> row = new ArrayList<>(List.of(result.policy()));
            result.utilizationByType().values().forEach(part -> row.add(Units.percent(part)));
            rows.add(row);
            parts.add(List.copyOf(result.utilizationByType().values()));
        }
        return new ReportTable(
                "Part of each type's time in use", heads, rows, ReportTable.Look.SHADED, parts);
    }

    private List<ReportTable> costs() {
        List<List<String>> rows = new ArrayList<>();
        List<List<Double>> parts = new ArrayList<>();
        double dearest = runs.stream().mapToDouble(SimulationResult::cost).max().orElse(0);
        for (PolicyResult result : results) {
            Double cost = result.cost();
            if (cost != null) {
                rows.add(List.of(result.policy(), say("%,.2f", cost)));
                parts.add(List.of(dearest == 0 ? 0 : cost / dearest));
            }
        }
        return rows.isEmpty()
                ? List.of()
                : List.of(
                        new ReportTable(
                                "Cost of machines in use",
                                List.of("policy", currency),
                                rows,
                                ReportTable.Look.BARS,
                                parts));
    }

    private Chart busy() {
        int all = runs.get(0).types().stream().mapToInt(type -> type.machines()).sum();
        return overTime(
                "busy",
                "Machines that jobs hold",
                "of " + Units.count(all),
                "machines",
                QueueSample::busy);
    }

    /** What a sample says, at even distances until the longest run ended. */
    private Chart overTime(
            String name,
            String head,
            String about,
            String unit,
            ToDoubleFunction<QueueSample> value) {
        double endS = runs.stream().mapToDouble(SimulationResult::endS).max().orElse(0);
        List<Double> at = grid(endS);
        List<Line> lines = new ArrayList<>();
        for (int r = 0; r < runs.size(); r++) {
            List<QueueSample> samples = runs.get(r).queue();
            List<Double> values = new ArrayList<>();
            int next = 0;
            for (double hours : at) {
                while (next < samples.size() && samples.get(next).atS() <= hours * 3600) {
                    next++;
                }
                boolean ended = hours * 3600 > runs.get(r).endS();
                values.add(
                        ended
                                ? Double.NaN
                                : value.applyAsDouble(samples.get(Math.max(0, next - 1))));
            }
            lines.add(new Line(results.get(r).policy(), Look.LINE, values));
        }
        return new Chart(
                name,
                head,
                about,
                new Axis("hours", Scale.FROM_ZERO),
                new Axis(unit, Scale.FROM_ZERO),
                at,
                lines);
    }

    private Chart completion() {
        double endS = results.stream().mapToDouble(r -> r.completion().p99S()).max().orElse(0);
        List<Double> at = grid(endS);
        List<Line> lines = new ArrayList<>();
        for (int r = 0; r < runs.size(); r++) {
            double[] jct =
                    runs.get(r).jobs().stream()
                            .mapToDouble(SimulatedJob::completionS)
                            .sorted()
                            .toArray();
            List<Double> values = new ArrayList<>();
            int ended = 0;
            for (double hours : at) {
                while (ended < jct.length && jct[ended] <= hours * 3600) {
                    ended++;
                }
                values.add((double) ended / jct.length);
            }
            lines.add(new Line(results.get(r).policy(), Look.LINE, values));
        }
        return new Chart(
                "jct",
                "Job completion time",
                "part of the jobs that ended within so long after they came",
                new Axis("hours", Scale.FROM_ZERO),
                new Axis("jobs", Scale.PERCENT),
                at,
                lines);
    }

    /** Hours at even distances from 0 on. */
    private static List<Double> grid(double endS) {
        return IntStream.rangeClosed(0, POINTS).mapToObj(i -> endS / 3600 * i / POINTS).toList();
    }

    private static String hours(double s) {
        return say("%,.2f", s / 3600);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
