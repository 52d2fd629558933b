package dev.medley.profile.report;

import dev.medley.base.ConfigException;
import dev.medley.profile.TextTable;
import dev.medley.profile.TextTable.Align;
import dev.medley.profile.Units;
import dev.medley.profile.record.MetricValue;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.RunRecord;
import dev.medley.profile.record.RunSummary;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Two or more runs side by side: the settings that differ, and what came of them.
 *
 * @param runs names of the folders
 * @param settings that are not the same in all runs, in order of the job file; empty where one has
 *     no such setting
 * @param results state, steps, metrics, speed; {@code –} where one has no such figure
 */
public record RunComparison(List<String> runs, List<Row> settings, List<Row> results) {
    /** One line: a name, and its value in each run. */
    public record Row(String name, List<String> values) {
        public Row {
            values = List.copyOf(values);
        }
    }

    private static final String NOTHING = "–";

    public RunComparison {
        runs = List.copyOf(runs);
        settings = List.copyOf(settings);
        results = List.copyOf(results);
    }

    /** Compares runs; fewer than two are a {@link ConfigException}. */
    public static RunComparison of(List<RunFolder> folders) {
        ConfigException.check(
                folders.size() >= 2,
                "%d run to compare: name two or more, `medley runs list` shows them",
                folders.size());
        List<RunRecord> runs = folders.stream().map(RunRecord::read).toList();
        return new RunComparison(
                folders.stream().map(RunFolder::name).toList(), settings(runs), results(runs));
    }

    /** The comparison in plain text. */
    public String text() {
        TextTable table = new TextTable().column("", Align.LEFT);
        runs.forEach(run -> table.column(run, Align.RIGHT));
        if (settings.isEmpty()) {
            table.row(cells("all settings", runs.stream().map(run -> "the same").toList()));
        }
        settings.forEach(row -> table.row(cells(row.name(), row.values())));
        table.row(cells("", runs.stream().map(run -> "").toList()));
        results.forEach(row -> table.row(cells(row.name(), row.values())));
        return table.text();
    }

    private static List<String> cells(String name, List<String> values) {
        List<String> cells = new ArrayList<>();
        cells.add(name);
        cells.addAll(values);
        return cells;
    }

    private static List<Row> settings(List<RunRecord> runs) {
        List<Map<String, String>> jobs =
                runs.stream().map(run -> JobText.settings(run.job())).toList();
        Set<String> names = new LinkedHashSet<>();
        jobs.forEach(job -> names.addAll(job.keySet()));
        List<Row> rows = new ArrayList<>();
        for (String name : names) {
            List<String> values = jobs.stream().map(job -> job.getOrDefault(name, "")).toList();
            if (values.stream().distinct().count() > 1) {
                rows.add(new Row(name, values));
            }
        }
        return rows;
    }

    private static List<Row> results(List<RunRecord> runs) {
        List<Row> rows = new ArrayList<>();
        add(rows, runs, "state", summary -> RunTable.word(summary.state()));
        add(rows, runs, "steps", summary -> Units.count(summary.steps()));
        add(
                rows,
                runs,
                "training loss",
                summary -> summary.steps() == 0 ? NOTHING : Units.metric(summary.loss()));
        Set<String> bests = new LinkedHashSet<>();
        Set<String> metrics = new LinkedHashSet<>();
        for (RunRecord run : runs) {
            RunSummary.Best best = run.summary().best();
            if (best != null) {
                bests.add(best.metric().name());
            }
            run.summary().metrics().forEach(metric -> metrics.add(metric.name()));
        }
        bests.forEach(name -> add(rows, runs, "best " + name, summary -> best(summary, name)));
        metrics.forEach(name -> add(rows, runs, "last " + name, summary -> last(summary, name)));
        add(
                rows,
                runs,
                "samples/s",
                summary ->
                        summary.trainingNs() == 0
                                ? NOTHING
                                : Units.count(Math.round(summary.samplesPerSecond())));
        add(
                rows,
                runs,
                "training",
                summary ->
                        summary.trainingNs() == 0
                                ? NOTHING
                                : Units.duration((double) summary.trainingNs()));
        add(rows, runs, "duration", summary -> Units.duration(summary.durationMillis() * 1e6));
        add(rows, runs, "workers", summary -> Units.count(summary.workers().size()));
        add(rows, runs, "lost workers", summary -> Units.count(summary.lostWorkers()));
        return rows;
    }

    private static void add(
            List<Row> rows,
            List<RunRecord> runs,
            String name,
            Function<RunSummary, String> figure) {
        rows.add(new Row(name, runs.stream().map(run -> figure.apply(run.summary())).toList()));
    }

    private static String best(RunSummary summary, String name) {
        RunSummary.Best best = summary.best();
        return best == null || !best.metric().name().equals(name)
                ? NOTHING
                : Units.metric(best.metric().value()) + " (step " + Units.count(best.step()) + ")";
    }

    private static String last(RunSummary summary, String name) {
        for (MetricValue metric : summary.metrics()) {
            if (metric.name().equals(name)) {
                return Units.metric(metric.value());
            }
        }
        return NOTHING;
    }
}
