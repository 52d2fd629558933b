package dev.medley.api.track;

import dev.medley.api.job.JobYaml;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.base.track.TrackSpec;
import dev.medley.record.entry.RunObserver;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Holds the trackers of a run while it trains, and sends later what one of them lacks. */
public final class Tracking implements AutoCloseable {
    private final @Nullable MlflowTracker mlflow;
    private final @Nullable EventFile events;

    private Tracking(@Nullable MlflowTracker mlflow, @Nullable EventFile events) {
        this.mlflow = mlflow;
        this.events = events;
    }

    /**
     * Asks whether the MLflow server is there without which the job must not begin.
     *
     * @throws ConfigException if the job wants it and it does not answer
     */
    public static void require(
            @Nullable TrackSpec asked, UnaryOperator<@Nullable String> environment) {
        if (asked == null || !asked.required()) {
            return;
        }
        URI uri = asked.mlflowUri();
        if (uri == null) {
            return;
        }
        try {
            JsonNode unused =
                    new MlflowServer(uri, environment, calls(Clock.system()))
                            .get("experiments/search", Map.of("max_results", "1"));
        } catch (IOException e) {
            throw new ConfigException(
                    "track.mlflow: %s does not answer as MLflow (%s), and track.required is set:"
                                    .formatted(uri, e.getMessage())
                            + " mend that, or leave track.required out",
                    e);
        }
    }

    /**
     * Begins.
     *
     * @param job whose trackers are meant; it may name none
     * @param folder of the run, whose record has begun
     * @param lastStep after which the run goes on; 0 for a new one
     * @param environment a variable's value, null if it is not set
     * @param warns told what goes wrong with a tracker, on the thread of the caller
     * @throws ConfigException if event files cannot be written
     */
    public static Tracking begin(
            JobSpec job,
            RunFolder folder,
            long lastStep,
            UnaryOperator<@Nullable String> environment,
            Clock clock,
            Consumer<String> warns) {
        return begin(job, folder, lastStep, environment, clock, warns, MlflowPatience.usual());
    }

    /** The same with other patience. */
    static Tracking begin(
            JobSpec job,
            RunFolder folder,
            long lastStep,
            UnaryOperator<@Nullable String> environment,
            Clock clock,
            Consumer<String> warns,
            MlflowPatience patience) {
        TrackSpec asked = job.track();
        if (asked == null) {
            return new Tracking(null, null);
        }
        String tensorboard = asked.tensorboard();
        EventFile events =
                tensorboard == null
                        ? null
                        : EventFile.begin(place(tensorboard, folder), lastStep, clock, warns);
        URI uri = asked.mlflowUri();
        if (uri == null) {
            return new Tracking(null, events);
        }
        BoundedCalls calls = new BoundedCalls(patience.answer(), clock);
        MlflowRun run = run(new MlflowServer(uri, environment, calls), asked, job, folder);
        MlflowTracker mlflow =
                new MlflowTracker(uri.toString(), run, calls, patience, clock, warns);
        mlflow.begin();
        return new Tracking(mlflow, events);
    }

    static BoundedCalls calls(Clock clock) {
        return new BoundedCalls(MlflowPatience.usual().answer(), clock);
    }

    private static MlflowRun run(
            MlflowServer server, TrackSpec asked, JobSpec job, RunFolder folder) {
        return new MlflowRun(server, asked, job, folder, RunRecord.identityOf(folder));
    }

    private static Path place(String tensorboard, RunFolder folder) {
        return tensorboard.equals(TrackSpec.IN_RUN)
                ? folder.path().resolve("tensorboard")
                : Path.of(tensorboard, folder.name());
    }

    /** The settings of a job as a tracker has them: each by its dotted path. */
    public static Map<String, String> settings(JobSpec job) {
        Map<String, String> all = new LinkedHashMap<>();
        MlflowRun.flatten("", JobYaml.tree(job.tracked(null)), all);
        return all;
    }

    /** The observers that have to see the run's records. */
    public List<RunObserver> observers() {
        List<RunObserver> observers = new ArrayList<>();
        if (events != null) {
            observers.add(events);
        }
        if (mlflow != null) {
            observers.add(mlflow);
        }
        return observers;
    }

    /** Ends the wait of {@link #close} for a server that is away. From any thread. */
    public void stopWaiting() {
        if (mlflow != null) {
            mlflow.stopWaiting();
        }
    }

    /** Brings the rest of the run to its trackers; its record is whole. */
    @Override
    public void close() {
        if (events != null) {
            events.close();
        }
        if (mlflow != null) {
            mlflow.finish();
        }
    }

    /**
     * What became of a run that was sent.
     *
     * @param experiment id of MLflow
     * @param run id of MLflow
     * @param version of the registered model; null where none was asked for
     */
    public record Sent(String experiment, String run, @Nullable String version) {}

    /**
     * Sends a run that has ended to an MLflow server: all of it, or what the server has not got.
     *
     * @param asked with the server; in place of what the job names
     * @param experiment that has to have it, be it in another one or not; null for where it is
     * @throws ConfigException if the server does not take it
     */
    public static Sent send(
            RunFolder folder,
            JobSpec job,
            TrackSpec asked,
            @Nullable String experiment,
            UnaryOperator<@Nullable String> environment) {
        URI uri = asked.mlflowUri();
        if (uri == null) {
            throw new ConfigException(
                    "%s names no MLflow server (track.mlflow): add --to http://HOST:PORT"
                            .formatted(folder.path()));
        }
        MlflowServer server = new MlflowServer(uri, environment, calls(Clock.system()));
        MlflowRun run = run(server, asked, job, folder);
        try {
            if (experiment != null) {
                run.belongsTo(experiment);
            }
            run.finish(RunRecord.read(folder));
        } catch (IOException e) {
            throw new ConfigException(
                    "MLflow at %s: %s; it has %s, which is kept in mind: the same command sends the rest"
                            .formatted(uri, e.getMessage(), run.had()),
                    e);
        }
        SentSoFar sent = run.sent();
        if (sent == null) {
            throw new IllegalStateException("a run that was sent is not known");
        }
        return new Sent(sent.experiment(), sent.run(), sent.version());
    }
}
