package dev.medley.api.run;

import dev.medley.base.ConfigException;
import dev.medley.control.launcher.LocalWorkers;
import dev.medley.record.metrics.Serving;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options of a run, besides what its job says.
 *
 * @param runs folder of all runs
 * @param cache where prepared data is kept
 * @param resume the run to resume; null for a new one
 * @param replay the run whose recorded plans are repeated; null to plan anew
 * @param initialModel folder of a trained model to begin with, whose encoding the data gets; null
 *     to draw parameters and fit an encoding. A resumed run keeps its own
 * @param serving where live figures are served; null for nowhere
 * @param command as the user gave it, for the record
 * @param rescue folder for what cannot be written into the run's; null for none
 * @param guesses whether step times and learning curves of earlier runs are used and those of this
 *     one kept
 * @param workers how workers are started on this machine
 * @param offers what offers other machines to it, for people
 */
public record RunOptions(
        Path runs,
        Path cache,
        @Nullable Path resume,
        @Nullable Path replay,
        @Nullable Path initialModel,
        @Nullable Serving serving,
        String command,
        @Nullable Path rescue,
        Guesses guesses,
        LocalWorkers workers,
        Offers offers) {
    /** What offers machines to a run that listens. */
    public enum Offers {
        /** Agents that people start. */
        AGENTS,
        /** Spark. */
        EXECUTORS,
        /** Kubernetes. */
        PODS
    }

    /** What is known of how fast machines are before they are tried. */
    public enum Guesses {
        /** What earlier runs on such machines measured; what this one measures is kept. */
        EARLIER_RUNS,
        /** Nothing, and nothing is kept. */
        NONE
    }

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
        return in(runs, defaultCache());
    }

    /** A new run in this folder of runs, with caches in that one. */
    public static RunOptions in(Path runs, Path cache) {
        return new RunOptions(
                runs,
                cache,
                null,
                null,
                null,
                null,
                "",
                null,
                Guesses.EARLIER_RUNS,
                WorkerProcess.WORKERS,
                Offers.AGENTS);
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
        return new RunOptions(
                runs,
                cache,
                run,
                replay,
                initialModel,
                serving,
                command,
                rescue,
                guesses,
                workers,
                offers);
    }

    /** The same, repeating the plans of a run. */
    public RunOptions replaying(Path run) {
        return new RunOptions(
                runs,
                cache,
                resume,
                run,
                initialModel,
                serving,
                command,
                rescue,
                guesses,
                workers,
                offers);
    }

    /** The same, beginning with a trained model. */
    public RunOptions startingFrom(Path model) {
        return new RunOptions(
                runs, cache, resume, replay, model, serving, command, rescue, guesses, workers,
                offers);
    }

    /** The same, with live figures. */
    public RunOptions serving(Serving where) {
        return new RunOptions(
                runs,
                cache,
                resume,
                replay,
                initialModel,
                where,
                command,
                rescue,
                guesses,
                workers,
                offers);
    }

    /** The same, keeping the user's command. */
    public RunOptions saidAs(String userCommand) {
        return new RunOptions(
                runs,
                cache,
                resume,
                replay,
                initialModel,
                serving,
                userCommand,
                rescue,
                guesses,
                workers,
                offers);
    }

    /** The same, with another place for what cannot be written into the run's folder. */
    public RunOptions rescuingTo(Path folder) {
        return new RunOptions(
                runs,
                cache,
                resume,
                replay,
                initialModel,
                serving,
                command,
                folder,
                guesses,
                workers,
                offers);
    }

    /** The same without guesses. */
    public RunOptions withoutGuesses() {
        return new RunOptions(
                runs,
                cache,
                resume,
                replay,
                initialModel,
                serving,
                command,
                rescue,
                Guesses.NONE,
                workers,
                offers);
    }

    /** The same, with workers of this machine started in another way. */
    public RunOptions startingWorkers(LocalWorkers how) {
        return new RunOptions(
                runs,
                cache,
                resume,
                replay,
                initialModel,
                serving,
                command,
                rescue,
                guesses,
                how,
                offers);
    }

    /** The same where something else than people offers machines. */
    public RunOptions offeredBy(Offers who) {
        return new RunOptions(
                runs,
                cache,
                resume,
                replay,
                initialModel,
                serving,
                command,
                rescue,
                guesses,
                workers,
                who);
    }
}
