package dev.medley.serving.mlflow;

import dev.medley.base.ConfigException;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.TrackedFigure;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Tells of the runs in a folder as MLflow does: an experiment for each job's name, which is its id,
 * and in it the runs, whose ids are the names of their folders.
 */
final class RunPages {
    private static final int USUAL_RUNS = 1000;
    private static final int USUAL_POINTS = 25_000;

    private final Path runs;
    private final Function<RunFolder, Map<String, String>> settings;

    /**
     * Of the runs in a folder.
     *
     * @param settings of a run's job, each by its dotted path
     */
    RunPages(Path runs, Function<RunFolder, Map<String, String>> settings) {
        this.runs = runs;
        this.settings = settings;
    }

    /** {@code experiments/search}; filters are not read. */
    Map<String, Object> experiments(MlflowQuestion asked) {
        refuseFilter(asked);
        List<Map<String, Object>> all =
                RunFolder.list(runs).stream()
                        .map(run -> RunRecord.identityOf(run).name())
                        .distinct()
                        .sorted()
                        .map(this::experiment)
                        .toList();
        return asked.page("experiments", all, USUAL_RUNS);
    }

    /** {@code experiments/get} and {@code get-by-name}. */
    Map<String, Object> experiment(MlflowQuestion asked, String key) {
        String name = asked.text(key);
        boolean isThere =
                RunFolder.list(runs).stream()
                        .anyMatch(run -> RunRecord.identityOf(run).name().equals(name));
        if (!isThere) {
            throw MlflowFailure.missing("there is no experiment '%s'".formatted(name));
        }
        return Map.of("experiment", experiment(name));
    }

    private Map<String, Object> experiment(String name) {
        return Map.of(
                "experiment_id",
                name,
                "name",
                name,
                "artifact_location",
                runs.toAbsolutePath().normalize().toUri().toString(),
                "lifecycle_stage",
                "active");
    }

    /** {@code runs/search}, newest first; filters and orders are not read. */
    Map<String, Object> search(MlflowQuestion asked) {
        refuseFilter(asked);
        List<String> experiments = asked.texts("experiment_ids");
        List<RunFolder> all =
                RunFolder.list(runs).stream()
                        .filter(run -> experiments.contains(RunRecord.identityOf(run).name()))
                        .toList();
        Map<String, Object> page = new LinkedHashMap<>(asked.page("runs", all, USUAL_RUNS));
        List<Map<String, Object>> told = new ArrayList<>();
        for (Object run : (List<?>) page.getOrDefault("runs", List.of())) {
            told.add(run(RunRecord.read((RunFolder) run)));
        }
        page.put("runs", told);
        return page;
    }

    /** {@code runs/get}. */
    Map<String, Object> get(MlflowQuestion asked) {
        return Map.of("run", run(RunRecord.read(folder(asked))));
    }

    /** {@code metrics/get-history}. */
    Map<String, Object> history(MlflowQuestion asked) {
        RunRecord record = RunRecord.read(folder(asked));
        String key = asked.text("metric_key");
        List<Map<String, Object>> points =
                figures(record).stream().filter(point -> key.equals(point.get("key"))).toList();
        return asked.page("metrics", points, USUAL_POINTS);
    }

    /** {@code artifacts/list}: the files of a run, folder by folder. */
    Map<String, Object> files(MlflowQuestion asked) {
        Path root = folder(asked).path().toAbsolutePath().normalize();
        String below = asked.textOrNull("path");
        Path wanted = root.resolve(below == null ? "" : below).normalize();
        if (!wanted.startsWith(root) || Files.isSymbolicLink(wanted)) {
            throw MlflowFailure.invalid("path '%s' leaves the run's folder".formatted(below));
        }
        List<Map<String, Object>> files = new ArrayList<>();
        if (Files.isDirectory(wanted)) {
            try (Stream<Path> all = Files.list(wanted)) {
                for (Path file : all.sorted().toList()) {
                    boolean isHidden = file.getFileName().toString().startsWith(".");
                    if (!isHidden && !Files.isSymbolicLink(file)) {
                        files.add(file(root, file));
                    }
                }
            } catch (IOException e) {
                throw MlflowFailure.missing("the run's files cannot be listed");
            }
        }
        return Map.of("root_uri", root.toUri().toString(), "files", files);
    }

    private static Map<String, Object> file(Path root, Path file) throws IOException {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("path", root.relativize(file).toString().replace('\\', '/'));
        told.put("is_dir", Files.isDirectory(file));
        if (Files.isRegularFile(file)) {
            told.put("file_size", Files.size(file));
        }
        return told;
    }

    private RunFolder folder(MlflowQuestion asked) {
        String older = asked.textOrNull("run_uuid");
        String id = older != null ? older : asked.text("run_id");
        boolean isName = id.matches("[A-Za-z0-9][A-Za-z0-9._-]*");
        try {
            if (isName) {
                return RunFolder.at(runs.resolve(id));
            }
        } catch (ConfigException e) {
            // It is no run's folder.
        }
        throw MlflowFailure.missing("there is no run '%s'".formatted(id));
    }

    private Map<String, Object> run(RunRecord record) {
        String name = record.folder().name();
        RunStatus state = record.summary().state();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("run_id", name);
        facts.put("run_uuid", name);
        facts.put("run_name", name);
        facts.put("experiment_id", record.identity().name());
        facts.put("status", status(state));
        facts.put("start_time", record.identity().startedMillis());
        if (state != RunStatus.RUNNING) {
            facts.put("end_time", record.summary().updatedMillis());
        }
        facts.put("artifact_uri", record.folder().path().toAbsolutePath().toUri().toString());
        facts.put("lifecycle_stage", "active");
        Map<String, Map<String, Object>> last = new LinkedHashMap<>();
        figures(record).forEach(point -> last.put(String.valueOf(point.get("key")), point));
        Map<String, String> tags =
                Map.of(
                        "mlflow.runName",
                        name,
                        "mlflow.source.name",
                        record.identity().command(),
                        "medley.version",
                        record.identity().version());
        return Map.of(
                "info",
                facts,
                "data",
                Map.of(
                        "metrics",
                        List.copyOf(last.values()),
                        "params",
                        pairs(settings.apply(record.folder())),
                        "tags",
                        pairs(tags)));
    }

    private static String status(RunStatus state) {
        return switch (state) {
            case RUNNING -> "RUNNING";
            case DONE -> "FINISHED";
            case INTERRUPTED -> "KILLED";
            case FAILED, VANISHED -> "FAILED";
        };
    }

    private static List<Map<String, Object>> figures(RunRecord record) {
        List<Map<String, Object>> points = new ArrayList<>();
        for (StepRecord step : record.steps()) {
            TrackedFigure.of(step)
                    .forEach(f -> points.add(point(f, step.step(), step.wallMillis())));
        }
        for (EvaluationRecord each : record.evaluations()) {
            TrackedFigure.of(each)
                    .forEach(f -> points.add(point(f, each.step(), each.wallMillis())));
        }
        return points;
    }

    /** JSON has no word for what is no number; protobuf's has these texts. */
    private static Map<String, Object> point(TrackedFigure figure, long step, long millis) {
        double value = figure.value();
        return Map.of(
                "key",
                figure.name(),
                "value",
                Double.isFinite(value) ? (Object) value : String.valueOf(value),
                "timestamp",
                millis,
                "step",
                step);
    }

    private static List<Map<String, String>> pairs(Map<String, String> all) {
        return all.entrySet().stream()
                .map(each -> Map.of("key", each.getKey(), "value", each.getValue()))
                .toList();
    }

    private static void refuseFilter(MlflowQuestion asked) {
        String filter = asked.textOrNull("filter");
        if (filter != null && !filter.isBlank()) {
            throw MlflowFailure.invalid("filters are not read here: leave filter out");
        }
    }
}
