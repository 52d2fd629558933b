package dev.medley.api.track;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        boolean isWhole) {
    private static final String FILE = "tracking.json";

    /** Of a run that the server has just begun. */
    static SentSoFar begun(String mlflow, String experiment, String run, String artifacts) {
        return new SentSoFar(mlflow, experiment, run, artifacts, false, 0, -1, null, false);
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
        return new SentSoFar(
                mlflow, experiment, run, artifacts, true, step, evaluation, version, isWhole);
    }

    SentSoFar upTo(long lastStep, long lastEvaluation) {
        return new SentSoFar(
                mlflow,
                experiment,
                run,
                artifacts,
                settings,
                lastStep,
                lastEvaluation,
                version,
                isWhole);
    }

    SentSoFar as(@Nullable String registered, boolean whole) {
        return new SentSoFar(
                mlflow, experiment, run, artifacts, settings, step, evaluation, registered, whole);
    }
}
