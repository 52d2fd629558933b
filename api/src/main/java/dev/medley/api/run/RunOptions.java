package dev.medley.api.run;

import dev.medley.base.ConfigException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a job is run, besides what the job says.
 *
 * @param runs folder of all runs
 * @param cache where prepared data is kept
 * @param resume the run to go on with; null for a new one
 * @param replay the run whose recorded plans are repeated; null to plan anew
 * @param initialModel folder of a trained model to begin with, whose encoding the data gets; null
 *     to draw parameters and fit an encoding. A run that is gone on with keeps its own
 * @param metricsPort port of live figures for Prometheus; null for none
 * @param command as the user gave it, for the record
 */
public record RunOptions(
        Path runs,
        Path cache,
        @Nullable Path resume,
        @Nullable Path replay,
        @Nullable Path initialModel,
        @Nullable Integer metricsPort,
        String command) {
    public RunOptions {
        ConfigException.check(
                resume == null || initialModel == null,
                "--resume %s goes on with the run's own parameters, --init %s begins with those of"
                        + " a model: leave one of them out",
                resume,
                initialModel);
    }

    /** A new run in {@code runs/} here. */
    public static RunOptions defaults() {
        return in(Path.of("runs"));
    }

    /** A new run in this folder of runs. */
    public static RunOptions in(Path runs) {
        return new RunOptions(runs, defaultCache(), null, null, null, null, "");
    }

    /** Where caches belong: {@code $XDG_CACHE_HOME/medley}, or {@code ~/.cache/medley}. */
    public static Path defaultCache() {
        String caches = System.getenv("XDG_CACHE_HOME");
        Path base =
                caches == null || caches.isBlank()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(caches);
        return base.resolve("medley");
    }

    /** The same, going on with a run. */
    public RunOptions resuming(Path run) {
        return new RunOptions(runs, cache, run, replay, initialModel, metricsPort, command);
    }

    /** The same, repeating the plans of a run. */
    public RunOptions replaying(Path run) {
        return new RunOptions(runs, cache, resume, run, initialModel, metricsPort, command);
    }

    /** The same, beginning with a trained model. */
    public RunOptions startingFrom(Path model) {
        return new RunOptions(runs, cache, resume, replay, model, metricsPort, command);
    }

    /** The same, with live figures on a port. */
    public RunOptions servingMetricsOn(int port) {
        return new RunOptions(runs, cache, resume, replay, initialModel, port, command);
    }

    /** The same, keeping the user's command. */
    public RunOptions saidAs(String userCommand) {
        return new RunOptions(runs, cache, resume, replay, initialModel, metricsPort, userCommand);
    }
}
