package dev.medley.api.track;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run that an MLflow server has; kept in the run's folder as {@code tracking.json}.
 *
 * @param mlflow address of the server
 * @param experiment its id of the experiment
 * @param run its id of the run
 * @param artifacts where the server keeps the run's files
 * @param settings whether it has the job's settings
 * @param step last step whose figures it has; 0 for none
 * @param evaluation step of the last evaluation that it has; -1 for none
 * @param version of the registered model that was made of this run; null for none
 * @param model the registered model's name; null for none
 * @param files the files that it has, each with what tells it from a later one of that name
 * @param isWhole whether it has all of the run that has ended
 */
record SentSoFar(
        String mlflow,
        String experiment,
        String run,
        String artifacts,
        boolean settings,
        long step,
        long evaluation,
        @Nullable String version,
        @Nullable String model,
        Map<String, String> files,
        boolean isWhole) {
    private static final String FILE = "tracking.json";

    SentSoFar {
        files = files == null ? Map.of() : Map.copyOf(files); // One of an earlier version.
    }

    /** Of a run that the server has begun. */
    static SentSoFar begun(
            String mlflow, String experiment, String run, String artifacts, long step, long eval) {
        return new SentSoFar(
                mlflow, experiment, run, artifacts, false, step, eval, null, null, Map.of(), false);
    }

    /** What {@code mlflow} has of the run in that folder; null for nothing. */
    static @Nullable SentSoFar read(Path folder, String mlflow) {
        Path file = folder.resolve(FILE);
        try {
            SentSoFar sent = Files.exists(file) ? Json.read(file, SentSoFar.class) : null;
            return sent == null || !sent.mlflow.equals(mlflow) ? null : sent;
        } catch (IOException | ConfigException damaged) {
            return null; // The run is sent anew, as another one.
        }
    }

    void write(Path folder) throws IOException {
        AtomicFile.write(folder.resolve(FILE), Json.bytes(this));
    }

    SentSoFar withSettings() {
        return with(true, step, evaluation, version, model, files, isWhole);
    }

    SentSoFar upTo(long lastStep, long lastEvaluation) {
        return with(settings, lastStep, lastEvaluation, version, model, files, isWhole);
    }

    SentSoFar withFile(String name, String stamp) {
        Map<String, String> more = new TreeMap<>(files);
        more.put(name, stamp);
        return with(settings, step, evaluation, version, model, more, isWhole);
    }

    SentSoFar as(String registered, String itsVersion) {
        return with(settings, step, evaluation, itsVersion, registered, files, isWhole);
    }

    SentSoFar whole(boolean isAll) {
        return with(settings, step, evaluation, version, model, files, isAll);
    }

    private SentSoFar with(
            boolean hasSettings,
            long lastStep,
            long lastEvaluation,
            @Nullable String itsVersion,
            @Nullable String registered,
            Map<String, String> allFiles,
            boolean isAll) {
        return new SentSoFar(
                mlflow,
                experiment,
                run,
                artifacts,
                hasSettings,
                lastStep,
                lastEvaluation,
                itsVersion,
                registered,
                allFiles,
                isAll);
    }
}
