package dev.medley.api.predict;

import dev.medley.api.TrainedModel;
import dev.medley.api.run.WorkerProcess;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.TrialScope;
import dev.medley.base.Version;
import dev.medley.base.WorkerId;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobStart;
import dev.medley.base.time.Clock;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.LocalLauncher;
import dev.medley.control.launcher.WorkerCommand;
import dev.medley.data.dataset.PreparedData;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.door.JoinSecret;
import dev.medley.store.file.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Computes blocks in worker processes: whoever is free takes the next one, so that a fast one does
 * more. The block of a worker that is lost, or silent for too long, goes to another; the prediction
 * fails only with the last one.
 */
final class WorkerProcesses
        implements BlockComputer, ControlConnection.Handler, Launcher.ExitListener {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerProcesses.class);
    private static final long HEARTBEAT_NS = TimeUnit.SECONDS.toNanos(1);

    /** From a worker's start to its hello, and from a block to its outputs. */
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(10);

    private record Block(long from, long to, CompletableFuture<List<float[]>> outputs) {}

    /** A worker that lives, and since when we wait for its hello or its block. */
    private static final class Worker {
        private @Nullable ControlConnection connection;
        private @Nullable Block block;
        private long sinceNs;
    }

    private final Clock clock = Clock.system();
    private final String token = ControlServer.secret();
    private final Path folder;
    private final LocalLauncher launcher;
    private final ControlServer server;
    private final JobIdentity job;
    private final JsonNode task;
    private final int size;

    // Guarded by this.
    private final Map<Integer, Worker> workers = new HashMap<>();
    private final Deque<Block> waiting = new ArrayDeque<>();
    private @Nullable RuntimeException failure;
    private boolean isClosed;

    private WorkerProcesses(
            LocalLauncher launcher,
            Path folder,
            JobIdentity job,
            PredictionTask task,
            PredictOptions options)
            throws IOException {
        this.launcher = launcher;
        this.folder = folder;
        this.job = job;
        this.task = Json.tree(task);
        this.size = options.workers();
        this.server = ControlServer.onLoopback(JoinSecret.ofRun(token), this);
    }

    /** Starts the workers, which load {@code model} on their own. */
    static WorkerProcesses start(TrainedModel model, PreparedData data, PredictOptions options) {
        JobSpec job = Json.bind(model.description().provenance().job(), JobSpec.class);
        String path = model.folder().toAbsolutePath().toString();
        try {
            Path folder = TemporaryFolder.make("predict");
            WorkerCommand program =
                    WorkerProcess.of(job, options.threads(), PredictionWorkerMain.class)
                            .with(JobStart.VARIABLE, JobStart.of(job).text());
            PredictionTask task = new PredictionTask(path, data, options.threads());
            return start(
                    new LocalLauncher(program, folder), folder, JobIdentity.of(job), task, options);
        } catch (IOException e) {
            throw new UncheckedIOException("workers cannot be started: " + e.getMessage(), e);
        }
    }

    /** Starts workers of any program; {@code folder} has their logs and goes with them. */
    static WorkerProcesses start(
            LocalLauncher launcher,
            Path folder,
            JobIdentity job,
            PredictionTask task,
            PredictOptions options)
            throws IOException {
        WorkerProcesses started = new WorkerProcesses(launcher, folder, job, task, options);
        try {
            started.launch();
        } catch (ConfigException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private synchronized void launch() {
        for (int launch = 1; launch <= size; launch++) {
            Worker worker = new Worker();
            worker.sinceNs = clock.awakeNs();
            workers.put(launch, worker);
            start(launch);
        }
    }

    /** One that cannot be started is missed by nobody while there are others. */
    private void start(int launch) {
        try {
            launcher.launch(launch, server.address(), token, this);
        } catch (Launcher.LaunchException e) {
            workers.remove(launch);
            ConfigException.check(launch < size || !workers.isEmpty(), "%s", e.getMessage());
            LOG.warn("{}; the others do its part", e.getMessage());
        }
    }

    // ---- What the predictor wants

    @Override
    public synchronized Future<List<float[]>> begin(long from, long to) {
        Block block = new Block(from, to, new CompletableFuture<>());
        waiting.add(block);
        handOut();
        return block.outputs();
    }

    @Override
    public int atOnce() {
        return size;
    }

    @Override
    public synchronized void look() {
        workers.forEach(
                (launch, worker) -> {
                    boolean isAwaited = worker.connection == null || worker.block != null;
                    if (isAwaited && clock.awakeNs() - worker.sinceNs > PATIENCE_NS) {
                        LOG.warn("worker {} is silent for too long", launch);
                        launcher.kill(launch);
                    }
                });
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        launcher.close();
        try (Stream<Path> logs = Files.list(folder)) {
            server.close();
            for (Path log : logs.toList()) {
                Files.delete(log);
            }
            Files.delete(folder);
        } catch (IOException e) {
            LOG.debug("{} could not be removed", folder, e);
        }
    }

    // ---- What workers say

    @Override
    public synchronized void received(ControlConnection from, Message message) {
        if (message instanceof Message.Hello hello) {
            greet(from, hello);
            handOut();
            return;
        }
        ProtocolException.check(
                workers.values().stream().anyMatch(worker -> worker.connection == from),
                "%s before hello",
                message.getClass().getSimpleName());
        if (message instanceof Message.Predicted predicted) {
            predicted(from, predicted);
        } else if (message instanceof Message.Failed failed) {
            fail(new ConfigException(failed.message()));
        }
        handOut();
    }

    @Override
    public synchronized void closed(ControlConnection connection, String why) {
        workers.forEach(
                (launch, worker) -> {
                    if (worker.connection == connection) {
                        launcher.kill(launch); // It cannot be talked to: what it exits with counts.
                    }
                });
    }

    @Override
    public synchronized void exited(Launcher.Exit exit) {
        Worker worker = workers.remove(exit.launch());
        String what = "worker-%d ended with exit status %d".formatted(exit.launch(), exit.code());
        if (worker != null && worker.block != null) {
            waiting.addFirst(worker.block);
        }
        if (isClosed) {
            return;
        }
        if (workers.isEmpty()) {
            fail(
                    new IllegalStateException(
                            "all workers are lost; the last: %s%n%s"
                                    .formatted(what, exit.lastWords())));
        } else {
            LOG.warn("{}; the others do its part", what);
        }
        handOut();
    }

    private void greet(ControlConnection from, Message.Hello hello) {
        Worker worker = workers.get(hello.launch());
        if (worker == null || worker.connection != null) {
            throw new ProtocolException("nobody waits for worker " + hello.launch());
        }
        String why = refusal(hello);
        if (why != null) {
            from.send(new Message.Close(false, why));
            fail(new ConfigException(why));
            return;
        }
        worker.connection = from;
        from.send(
                new Message.Welcome(
                        new WorkerId(hello.launch()),
                        HEARTBEAT_NS,
                        PATIENCE_NS,
                        TrialScope.LEVEL,
                        "prediction",
                        task));
    }

    private @Nullable String refusal(Message.Hello hello) {
        String who = "worker-" + hello.launch();
        String another = Version.refusal(who, hello.version(), Version.build());
        return another != null
                ? another
                : JobIdentity.refusal(who, hello.job(), "what is predicted here", job);
    }

    private void predicted(ControlConnection from, Message.Predicted predicted) {
        for (Worker worker : workers.values()) {
            Block block = worker.block;
            if (worker.connection == from && block != null && block.from() == predicted.from()) {
                ProtocolException.check(
                        predicted.outputs().size() == block.to() - block.from(),
                        "%d outputs for %d samples",
                        predicted.outputs().size(),
                        block.to() - block.from());
                worker.block = null;
                block.outputs().complete(predicted.outputs());
            }
        }
    }

    // ---- Who does what

    private void handOut() {
        for (Worker worker : workers.values()) {
            if (worker.connection != null && worker.block == null && !waiting.isEmpty()) {
                Block block = waiting.remove();
                worker.block = block;
                worker.sinceNs = clock.awakeNs();
                worker.connection.send(new Message.Predict(block.from(), block.to()));
            }
        }
        if (failure != null) {
            waiting.forEach(block -> block.outputs().completeExceptionally(failure));
            waiting.clear();
        }
    }

    private void fail(RuntimeException why) {
        failure = why;
        for (Worker worker : workers.values()) {
            if (worker.block != null) {
                worker.block.outputs().completeExceptionally(why);
            }
        }
    }
}
