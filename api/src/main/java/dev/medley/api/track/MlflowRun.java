package dev.medley.api.track;

import dev.medley.api.track.MlflowServer.Refused;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import dev.medley.base.track.TrackSpec;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.TrackedFigure;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Brings one run to an MLflow server, part by part; what the server has is kept in {@link
 * SentSoFar}, so that each part goes there once, whoever sends it and when.
 *
 * <p>Thread: one at a time.
 */
final class MlflowRun {
    private static final int LARGEST_BATCH = 1000;
    private static final int MOST_SETTINGS = 100;
    private static final int LONGEST_VALUE = 500;
    private static final int NAMED_FILES = 5;
    private static final String PROXIED = "mlflow-artifacts:";
    private static final String KEY = "medley.key";
    private static final String MLMODEL = "model/MLmodel";

    private final MlflowServer server;
    private final JobSpec job;
    private final TrackSpec asked;
    private final RunFolder folder;
    private final RunIdentity identity;
    private @Nullable SentSoFar sent;
    private boolean isOpen;

    MlflowRun(
            MlflowServer server,
            TrackSpec asked,
            JobSpec job,
            RunFolder folder,
            RunIdentity identity) {
        this.server = server;
        this.asked = asked;
        this.job = job;
        this.folder = folder;
        this.identity = identity;
        this.sent = SentSoFar.read(folder.path(), server.toString());
    }

    /** What the server has; null before it has anything. */
    @Nullable SentSoFar sent() {
        return sent;
    }

    /** Its folder. */
    RunFolder folder() {
        return folder;
    }

    /**
     * Goes on with the run of that experiment. MLflow moves no runs: one that is in another
     * experiment stays there, and this one gets a run of its own, or the one that it has.
     */
    void belongsTo(String name) throws IOException {
        SentSoFar known = sent;
        if (known != null && !known.experiment().equals(experiment(name))) {
            sent = null;
        }
    }

    /** Makes the run there, or goes on with it; nothing where that is done. */
    void open() throws IOException {
        if (isOpen) {
            return;
        }
        SentSoFar known = sent == null ? null : asItIs(sent);
        if (known == null) {
            known = begun();
        }
        if (!known.settings()) {
            sendSettings(known.run());
            known = known.withSettings();
        }
        keep(known.whole(false));
        isOpen = true;
    }

    /**
     * With what came without an answer in time. Null where the server has lost the run, which it
     * gets anew.
     */
    private @Nullable SentSoFar asItIs(SentSoFar known) throws IOException {
        try {
            update(known.run(), "RUNNING", null);
        } catch (Refused e) {
            if (e.code().equals("RESOURCE_DOES_NOT_EXIST")) {
                return null;
            }
            throw e;
        }
        JsonNode run = server.get("runs/get", Map.of("run_id", known.run())).path("run");
        return known.upTo(
                Math.max(known.step(), lastStep(run)),
                Math.max(known.evaluation(), lastEvaluation(run)));
    }

    private static long lastStep(JsonNode run) {
        return last(run, TrackedFigure::isOfAStep, 0);
    }

    private static long lastEvaluation(JsonNode run) {
        return last(run, TrackedFigure::isOfAnEvaluation, -1);
    }

    private static long last(JsonNode run, Predicate<String> isMeant, long none) {
        return run.path("data")
                .path("metrics")
                .valueStream()
                .filter(metric -> isMeant.test(metric.path("key").asString("")))
                .mapToLong(metric -> metric.path("step").asLong(none))
                .max()
                .orElse(none);
    }

    /** Whoever has asked for it before may have got no answer, and the run be there. */
    private SentSoFar begun() throws IOException {
        String experiment =
                experiment(asked.experiment() == null ? job.name() : asked.experiment());
        List<JsonNode> there = there(experiment);
        JsonNode run = there.isEmpty() ? created(experiment) : there.get(0);
        JsonNode labels = run.path("info");
        SentSoFar begun =
                SentSoFar.begun(
                        server.toString(),
                        experiment,
                        labels.path("run_id").asString(""),
                        labels.path("artifact_uri").asString(""),
                        lastStep(run),
                        lastEvaluation(run));
        keep(begun);
        return begun;
    }

    /** Those that stand for this run; the one that was begun with first. */
    private List<JsonNode> there(String experiment) throws IOException {
        return server.post(
                        "runs/search",
                        Map.of(
                                "experiment_ids",
                                List.of(experiment),
                                "filter",
                                "tags.\"%s\" = '%s'".formatted(KEY, key()),
                                "max_results",
                                100))
                .path("runs")
                .valueStream()
                .sorted(Comparator.comparing(run -> !run.path("data").has("metrics")))
                .toList();
    }

    /** One run, wherever its folder was moved to since. */
    private String key() {
        String words = identity.startedMillis() + " " + folder.name();
        return UUID.nameUUIDFromBytes(words.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private JsonNode created(String experiment) throws IOException {
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put("mlflow.runName", folder.name());
        tags.put("mlflow.source.name", cut(identity.command()));
        tags.put("mlflow.source.type", "LOCAL");
        tags.put("medley.run", folder.path().toAbsolutePath().normalize().toString());
        tags.put(KEY, key());
        tags.put("medley.version", identity.version());
        GitCommit.of(Path.of("")).ifPresent(hash -> tags.put("mlflow.source.git.commit", hash));
        return server.post(
                        "runs/create",
                        Map.of(
                                "experiment_id",
                                experiment,
                                "run_name",
                                folder.name(),
                                "start_time",
                                identity.startedMillis(),
                                "tags",
                                pairs(tags)))
                .path("run");
    }

    /** One that was made after its caller had given up waiting: nobody has told it anything. */
    private void removeLate(SentSoFar known) throws IOException {
        for (JsonNode run : there(known.experiment())) {
            String id = run.path("info").path("run_id").asString("");
            if (!id.equals(known.run()) && !run.path("data").has("metrics")) {
                JsonNode unused = server.post("runs/delete", Map.of("run_id", id));
            }
        }
    }

    private String experiment(String name) throws IOException {
        try {
            return id(server.get("experiments/get-by-name", Map.of("experiment_name", name)));
        } catch (Refused e) {
            if (!e.code().equals("RESOURCE_DOES_NOT_EXIST")) {
                throw e;
            }
        }
        try {
            return server.post("experiments/create", Map.of("name", name))
                    .path("experiment_id")
                    .asString("");
        } catch (Refused e) {
            if (!e.code().equals("RESOURCE_ALREADY_EXISTS")) {
                throw e;
            }
            return id(server.get("experiments/get-by-name", Map.of("experiment_name", name)));
        }
    }

    private static String id(JsonNode answer) {
        return answer.path("experiment").path("experiment_id").asString("");
    }

    private void sendSettings(String run) throws IOException {
        List<Map<String, String>> settings = pairs(Tracking.settings(job));
        for (int from = 0; from < settings.size(); from += MOST_SETTINGS) {
            int to = Math.min(settings.size(), from + MOST_SETTINGS);
            log(run, "params", settings.subList(from, to));
        }
    }

    /** Each setting by its dotted path; lists as JSON. */
    static void flatten(String path, JsonNode node, Map<String, String> into) {
        if (node.isObject()) {
            String before = path.isEmpty() ? "" : path + ".";
            node.propertyStream().forEach(p -> flatten(before + p.getKey(), p.getValue(), into));
        } else {
            into.put(path, cut(node.isArray() ? Json.line(node) : node.asString()));
        }
    }

    /** Records in order, of which the server has none after those before them. */
    void figures(List<StepRecord> steps, List<EvaluationRecord> evaluations) throws IOException {
        SentSoFar known = opened();
        List<Map<String, Object>> batch = new ArrayList<>();
        long step = known.step();
        long evaluation = known.evaluation();
        for (EvaluationRecord each : evaluations) {
            if (each.step() > evaluation) {
                add(batch, each.step(), each.wallMillis(), TrackedFigure.of(each));
                evaluation = each.step();
                known = flushed(known, batch, step, evaluation, LARGEST_BATCH / 2);
            }
        }
        for (StepRecord each : steps) {
            if (each.step() > step) {
                add(batch, each.step(), each.wallMillis(), TrackedFigure.of(each));
                step = each.step();
                known = flushed(known, batch, step, evaluation, LARGEST_BATCH - MOST_SETTINGS);
            }
        }
        SentSoFar unused = flushed(known, batch, step, evaluation, 1);
    }

    /** Sends a batch that is so long; an evaluation has less than 500 figures. */
    private SentSoFar flushed(
            SentSoFar known, List<Map<String, Object>> batch, long step, long evaluation, int least)
            throws IOException {
        if (batch.size() < least) {
            return known;
        }
        isOpen = false; // Without an answer, what it has is asked for anew.
        log(known.run(), "metrics", batch);
        isOpen = true;
        batch.clear();
        SentSoFar further = known.upTo(step, evaluation);
        keep(further);
        return further;
    }

    private static void add(
            List<Map<String, Object>> batch, long step, long millis, List<TrackedFigure> figures) {
        for (TrackedFigure figure : figures) {
            double value = figure.value();
            batch.add(
                    Map.of(
                            "key",
                            figure.name(),
                            "value",
                            Double.isFinite(value) ? (Object) value : String.valueOf(value),
                            "timestamp",
                            millis,
                            "step",
                            step));
        }
    }

    /** All of a run that has ended: figures, files, the model and its version, the state. */
    void finish(RunRecord record) throws IOException {
        open();
        figures(record.steps(), record.evaluations());
        RunSummary summary = record.summary();
        // Before the files, which not every server takes.
        update(opened().run(), state(summary.state()), summary.updatedMillis());
        sendFiles(record);
        SentSoFar known = opened();
        String model = asked.register();
        boolean isMissing = known.version() == null || !model(known).equals(model);
        if (model != null && isMissing && Files.isDirectory(folder.model())) {
            known = known.as(model, registered(model, known));
            keep(known);
        }
        removeLate(known);
        keep(known.whole(true));
    }

    private static String model(SentSoFar known) {
        return known.model() == null ? "" : known.model();
    }

    private void sendFiles(RunRecord record) throws IOException {
        String place = proxied(opened());
        if (place == null) {
            throw new Refused(
                    "",
                    "files go to %s, which is not behind the server: start it with"
                                    .formatted(opened().artifacts())
                            + " --artifacts-destination, so that it takes them itself");
        }
        for (Map.Entry<String, Path> each : TrackedFiles.of(folder).entrySet()) {
            String name = each.getKey();
            String stamp = TrackedFiles.stamp(each.getValue());
            if (!stamp.equals(opened().files().get(name))) {
                server.put(place + name, each.getValue());
                keep(opened().withFile(name, stamp));
            }
        }
        String model = mlmodel(opened(), record);
        boolean isSent = model.equals(opened().files().get(MLMODEL));
        if (Files.isDirectory(folder.model()) && !isSent) {
            server.put(place + MLMODEL, model);
            keep(opened().withFile(MLMODEL, model));
        }
    }

    /** What the server has of a run that it has not all of, in words. */
    String had() {
        SentSoFar known = sent;
        if (known == null) {
            return "nothing";
        }
        String figures = "figures up to step %d".formatted(known.step());
        List<String> missing = missingFiles(known);
        if (missing.isEmpty()) {
            return figures + " and the files, but not how it ended";
        }
        String named = String.join(", ", missing.subList(0, Math.min(NAMED_FILES, missing.size())));
        return missing.size() > NAMED_FILES
                ? "%s, and not %d of its files (%s, ...)".formatted(figures, missing.size(), named)
                : "%s, and not %s".formatted(figures, named);
    }

    private List<String> missingFiles(SentSoFar known) {
        List<String> missing = new ArrayList<>();
        try {
            for (Map.Entry<String, Path> each : TrackedFiles.of(folder).entrySet()) {
                if (!TrackedFiles.stamp(each.getValue()).equals(known.files().get(each.getKey()))) {
                    missing.add(each.getKey());
                }
            }
        } catch (IOException e) {
            missing.add("files that cannot be read here (%s)".formatted(e.getMessage()));
        }
        return missing;
    }

    /** What MLflow reads of a model: a flavour of ours. */
    private String mlmodel(SentSoFar known, RunRecord record) {
        String family = job.model().family();
        return """
        artifact_path: model
        run_id: %s
        flavors:
          medley:
            family: %s
            version: %s
        """
                .formatted(known.run(), family, Json.line(record.identity().version()));
    }

    /** The path below the server's own artifacts; null where they lie elsewhere. */
    private static @Nullable String proxied(SentSoFar known) {
        return known.artifacts().startsWith(PROXIED)
                ? known.artifacts()
                                .substring(PROXIED.length())
                                .replaceFirst("^//[^/]*", "")
                                .replaceFirst("^/", "")
                        + "/"
                : null;
    }

    private String registered(String name, SentSoFar known) throws IOException {
        try {
            JsonNode unused = server.post("registered-models/create", Map.of("name", name));
        } catch (Refused e) {
            if (!e.code().equals("RESOURCE_ALREADY_EXISTS")) {
                throw e;
            }
        }
        String there = version(name, known.run());
        if (!there.isEmpty()) {
            return there;
        }
        return server.post(
                        "model-versions/create",
                        Map.of(
                                "name",
                                name,
                                "source",
                                known.artifacts() + "/model",
                                "run_id",
                                known.run()))
                .path("model_version")
                .path("version")
                .asString("");
    }

    /** One that was made without an answer in time; empty for none. */
    private String version(String name, String run) throws IOException {
        return server.get("model-versions/search", Map.of("filter", "run_id = '%s'".formatted(run)))
                .path("model_versions")
                .valueStream()
                .filter(version -> version.path("name").asString("").equals(name))
                .map(version -> version.path("version").asString(""))
                .findFirst()
                .orElse("");
    }

    private void update(String run, String state, @Nullable Long endMillis) throws IOException {
        Map<String, Object> change = new LinkedHashMap<>(Map.of("run_id", run, "status", state));
        if (endMillis != null) {
            change.put("end_time", endMillis);
        }
        JsonNode unused = server.post("runs/update", change);
    }

    private static String state(RunStatus state) {
        return switch (state) {
            case DONE -> "FINISHED";
            case INTERRUPTED -> "KILLED";
            case RUNNING, FAILED, VANISHED -> "FAILED";
        };
    }

    private void log(String run, String what, Object values) throws IOException {
        JsonNode unused = server.post("runs/log-batch", Map.of("run_id", run, what, values));
    }

    private SentSoFar opened() {
        if (sent == null || !isOpen) {
            throw new IllegalStateException("the run was not opened");
        }
        return sent;
    }

    private void keep(SentSoFar now) throws IOException {
        sent = now;
        now.write(folder.path());
    }

    private static List<Map<String, String>> pairs(Map<String, String> all) {
        return all.entrySet().stream()
                .map(each -> Map.of("key", each.getKey(), "value", each.getValue()))
                .toList();
    }

    private static String cut(String value) {
        return value.length() <= LONGEST_VALUE ? value : value.substring(0, LONGEST_VALUE);
    }
}
