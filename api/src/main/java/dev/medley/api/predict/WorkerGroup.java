package dev.medley.api.predict;

import dev.medley.api.TrainedModel;
import dev.medley.api.run.WorkerProcess;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.WorkerId;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobStart;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.job.Work;
import dev.medley.base.time.Clock;
import dev.medley.control.coordinator.Coordinator;
import dev.medley.control.coordinator.CoordinatorOptions;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.Launching;
import dev.medley.control.launcher.LocalWorkers;
import dev.medley.control.watch.RunOutcome;
import dev.medley.data.dataset.PreparedData;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.door.JoinSecret;
import dev.medley.store.file.TemporaryFolder;
import dev.medley.training.prediction.PredictionBlocks;
import dev.medley.training.prediction.PredictionOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Predicts in worker processes, which a coordinator starts and forms into groups as in training:
 * what a lost one had to do is done by the others. The prediction fails with the last one, and
 * where one meets a bug or bad input: then no other could go on. Memory may suffice the second
 * time.
 *
 * <p>Thread: the caller's; the coordinator has its own.
 */
final class WorkerGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerGroup.class);
    private static final long HEARTBEAT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String ALL_LOST = "all workers are lost"; // As Crew says it.
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    /** From one block to the next that is handed over. */
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(10);

    /** Of a step, for each worker: so finely its part follows its speed. */
    private static final int BLOCKS = 4;

    private final Path folder;
    private final LastExit launcher;
    private final Coordinator coordinator;
    private final PredictedBlocks predicted;
    private final Clock clock = Clock.system();
    private final Thread thread = new Thread(this::coordinate, "coordinator");

    private WorkerGroup(JobSpec job, PredictionOrder order, Path folder, Launcher launcher) {
        this.folder = folder;
        this.launcher = new LastExit(launcher, job.cluster().workers());
        this.predicted = new PredictedBlocks(order.blocks(), clock);
        String secret = ControlServer.secret();
        this.coordinator =
                new Coordinator(
                        new CoordinatorOptions(
                                job.cluster(),
                                "what is predicted here",
                                job.work().name(),
                                JobIdentity.of(job),
                                Version.build(),
                                new CoordinatorOptions.Patience(
                                        PATIENCE_NS, PATIENCE_NS, PATIENCE_NS, Long.MAX_VALUE),
                                JoinSpec.Begin.ALL),
                        () -> Json.tree(order),
                        secret,
                        new Coordinator.World(
                                new Launching.ByLauncher(this.launcher),
                                door -> ControlServer.onLoopback(JoinSecret.ofRun(secret), door),
                                new PredictionPlan(
                                        order.blocks().stepBlocks(), job.cluster().workers()),
                                predicted,
                                clock));
        thread.setDaemon(true);
    }

    /** Starts processes, which load {@code model} on their own. */
    static WorkerGroup start(
            TrainedModel model, PreparedData data, int blockSamples, PredictOptions options) {
        return start(job(model, data, options), data, blockSamples, WorkerProcess.WORKERS);
    }

    /** Starts workers of any kind. */
    static WorkerGroup start(
            JobSpec job, PreparedData data, int blockSamples, LocalWorkers workers) {
        PredictionBlocks blocks =
                new PredictionBlocks(
                        data.validationSamples(), blockSamples, BLOCKS * job.cluster().workers());
        try {
            Path folder = TemporaryFolder.make("predict");
            Launcher launcher = workers.of(job, JobStart.of(job), WorkerSettings.HERE, folder);
            WorkerGroup group =
                    new WorkerGroup(job, new PredictionOrder(job, data, blocks), folder, launcher);
            group.thread.start();
            return group;
        } catch (IOException e) {
            throw new UncheckedIOException("workers cannot be started: " + e.getMessage(), e);
        }
    }

    private static JobSpec job(TrainedModel model, PreparedData data, PredictOptions options) {
        JsonNode trained = model.description().provenance().job();
        ClusterSpec before = Json.bind(trained.path("cluster"), ClusterSpec.class);
        return new JobSpec(
                trained.path("name").asString(),
                new Work.Prediction(data.spec(), model.folder().toAbsolutePath().toString()),
                new ClusterSpec(
                        options.workers(),
                        options.threads(),
                        before.javaOptions(),
                        before.classPath(),
                        HEARTBEAT_NS,
                        SILENCE_NS,
                        PATIENCE_NS,
                        0,
                        null),
                CheckpointSpec.defaults(),
                trained.path("seed").asLong());
    }

    private void coordinate() {
        try {
            RunOutcome outcome = coordinator.run();
            if (outcome.kind() == RunOutcome.Kind.COMPLETED) {
                predicted.ended(new IllegalStateException("all has been predicted"));
            } else {
                predicted.ended(failure(outcome));
            }
        } catch (IOException | RuntimeException e) {
            predicted.ended(new IllegalStateException(String.valueOf(e.getMessage()), e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            predicted.ended(new IllegalStateException("interrupted while predicting", e));
        } catch (Error e) {
            predicted.ended(new IllegalStateException("the coordinator stopped: " + e, e));
            throw e;
        }
    }

    /** Of the last worker its own words say more than the coordinator knows. */
    private RuntimeException failure(RunOutcome outcome) throws InterruptedException {
        FailureKind kind = outcome.failure();
        if (kind != null && kind.isOfInput()) {
            return new ConfigException(outcome.why());
        }
        Launcher.Exit last = outcome.why().startsWith(ALL_LOST) ? launcher.last() : null;
        return new IllegalStateException(
                last == null
                        ? outcome.why()
                        : "%s; the last: worker-%d ended with exit status %d%n%s"
                                .formatted(ALL_LOST, last.launch(), last.code(), last.lastWords()));
    }

    /** The outputs of the next block in order, one row for each sample. */
    List<float[]> next() {
        long untilNs = clock.awakeNs() + PATIENCE_NS;
        try {
            while (true) {
                List<float[]> outputs = predicted.next(LOOK_NS);
                if (outputs != null) {
                    return outputs;
                }
                if (clock.awakeNs() > untilNs) {
                    endWhoOwes();
                    untilNs = clock.awakeNs() + PATIENCE_NS;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while predicting", e);
        }
    }

    private void endWhoOwes() {
        WorkerId owing = predicted.owing(PATIENCE_NS);
        if (owing != null) {
            LOG.warn("{} computes one block for too long", owing);
            launcher.kill(owing.value());
        }
    }

    /** No worker outlives this, whether the caller is interrupted or not. */
    private void joinWhatever() {
        boolean wasInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        coordinator.interrupt();
        coordinator.interrupt();
        joinWhatever();
        try (Stream<Path> logs = Files.list(folder)) {
            for (Path log : logs.toList()) {
                Files.delete(log);
            }
            Files.delete(folder);
        } catch (IOException e) {
            LOG.debug("{} could not be removed", folder, e);
        }
    }
}
