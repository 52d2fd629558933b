package dev.medley.cli.history;

import dev.medley.api.job.JobYaml;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.base.text.Units;
import dev.medley.cli.option.JobWords;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.option.RunsOption;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Compares runs: what differs in their jobs, and what came of it. */
@Command(
        name = "compare",
        header = "Compare runs: what differs in their jobs, and what came of it.",
        footer = {
            "",
            "Examples:",
            "  medley runs compare adult-20261121-101500 adult-20261121-102000",
            "  medley runs compare latest quickstart --json"
        })
public final class RunsCompareCommand extends Options implements Callable<Integer> {
    /** A run as scripts see it; settings are those in which the runs differ. */
    record Compared(String name, Map<String, String> settings, RunSummary summary) {}

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RunsOption runs = new RunsOption();

    @Parameters(arity = "2..*", paramLabel = "RUN", description = "Two runs or more.")
    private List<String> names = new ArrayList<>();

    private final Terminal terminal;

    RunsCompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<RunRecord> records =
                names.stream().map(n -> RunRecord.read(RunFolder.find(runs.folder(), n))).toList();
        List<Map<String, String>> settings = records.stream().map(r -> flatten(job(r))).toList();
        List<String> differing = differing(settings);
        List<Compared> compared = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            Map<String, String> own = new LinkedHashMap<>();
            for (String key : differing) {
                own.put(key, settings.get(i).getOrDefault(key, ""));
            }
            compared.add(
                    new Compared(records.get(i).folder().name(), own, records.get(i).summary()));
        }
        if (!json.printed(terminal, compared)) {
            print(compared, differing);
        }
        return ExitCode.DONE;
    }

    private static List<String> differing(List<Map<String, String>> settings) {
        TreeMap<String, String> all = new TreeMap<>();
        settings.forEach(all::putAll);
        return all.keySet().stream()
                .filter(
                        k ->
                                settings.stream().map(s -> s.getOrDefault(k, "")).distinct().count()
                                        > 1)
                .toList();
    }

    /** The job with the keys of a job file; one that another version wrote, as it lies there. */
    private static @Nullable JsonNode job(RunRecord run) {
        JsonNode job = run.job();
        try {
            return job == null ? null : JobYaml.tree(Json.bind(job, JobSpec.class));
        } catch (JacksonException | ConfigException e) {
            return job;
        }
    }

    private static Map<String, String> flatten(@Nullable JsonNode job) {
        Map<String, String> flat = new LinkedHashMap<>();
        if (job != null) {
            flatten("", job, flat);
        }
        return flat;
    }

    private static void flatten(String path, JsonNode node, Map<String, String> flat) {
        if (node.isObject()) {
            node.propertyStream()
                    .forEach(
                            p ->
                                    flatten(
                                            path.isEmpty() ? p.getKey() : path + "." + p.getKey(),
                                            p.getValue(),
                                            flat));
        } else {
            flat.put(path, node.isArray() ? node.toString() : node.asString(""));
        }
    }

    private void print(List<Compared> runs, List<String> differing) {
        TextTable table = new TextTable().column("", Align.LEFT);
        runs.forEach(r -> table.column(r.name(), Align.RIGHT));
        for (String key : differing) {
            row(table, key, runs, r -> r.settings().getOrDefault(key, ""));
        }
        row(table, "state", runs, r -> JobWords.of(r.summary().state()));
        row(table, "steps", runs, r -> Units.count(r.summary().steps()));
        row(table, "loss", runs, r -> Units.metric(r.summary().loss()));
        runs.stream()
                .flatMap(r -> r.summary().metrics().stream())
                .map(MetricValue::name)
                .distinct()
                .forEach(m -> row(table, "validation " + m, runs, r -> metric(r, m)));
        row(table, "speed", runs, r -> Units.samplesPerSecond(r.summary().samplesPerSecond()));
        row(table, "training", runs, r -> Units.duration((double) r.summary().trainingNs()));
        terminal.print(table.text().stripTrailing());
    }

    private static void row(
            TextTable table,
            String name,
            List<Compared> runs,
            java.util.function.Function<Compared, String> cell) {
        List<String> cells = new ArrayList<>(List.of(name));
        runs.forEach(r -> cells.add(cell.apply(r)));
        table.row(cells);
    }

    private static String metric(Compared run, String name) {
        return run.summary().metrics().stream()
                .filter(m -> m.name().equals(name))
                .map(m -> Units.metric(m.value()))
                .findFirst()
                .orElse("");
    }
}
