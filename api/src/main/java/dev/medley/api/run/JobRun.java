package dev.medley.api.run;

import dev.medley.api.job.JobWorkers;
import dev.medley.api.job.JobYaml;
import dev.medley.api.stored.RunMirror;
import dev.medley.api.stored.RunStore;
import dev.medley.api.track.Tracking;
import dev.medley.base.BatchSizes;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobStart;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.text.Words;
import dev.medley.base.time.Clock;
import dev.medley.control.coordinator.Coordinator;
import dev.medley.control.coordinator.CoordinatorOptions;
import dev.medley.control.watch.RunOutcome;
import dev.medley.data.batch.ShardSurvey;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.InUse;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.metric.Metrics;
import dev.medley.inference.model.LearnerFit;
import dev.medley.inference.model.UserClasses;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.plan.chain.PlanChain;
import dev.medley.plan.source.PlacedPlan;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.ReplayPlan;
import dev.medley.profile.machine.KnownMachine;
import dev.medley.profile.machine.MachineProbe;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunObserver;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunLock;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.RunRecorder;
import dev.medley.record.metrics.MetricsServer;
import dev.medley.record.metrics.RunLabels;
import dev.medley.record.metrics.Serving;
import dev.medley.record.report.Report;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.LatestCheckpoint;
import dev.medley.store.file.WritableFolder;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.model.Networks;
import dev.medley.training.bucket.Fragments;
import dev.medley.training.factor.TablesChoice;
import dev.medley.training.loop.StepSchedule;
import dev.medley.training.worker.Assignment;
import dev.medley.training.worker.SavedRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs a job from its files to its model. Whatever is wrong with the user's input is a {@link
 * ConfigException} before a worker starts, or an outcome of kind FAILED if only a worker could find
 * it.
 *
 * <p>Long because it puts all parts of a run in their order; what each does is in its own class.
 */
public final class JobRun {
    private static final long LAST_WRITE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final JobSpec asked;
    private JobSpec job;
    private final RunOptions options;
    private final RunProgress progress;
    private final Clock clock;
    private final AtomicInteger interrupts = new AtomicInteger();
    private final @Nullable PreparedData given;
    private @Nullable MetricsServer metrics;
    private @Nullable InitialModel initial;
    private @Nullable LatestCheckpoint resumedFrom;
    private @Nullable String dealtWhy;
    private @Nullable Tracking tracked;

    private JobRun(
            JobSpec job,
            @Nullable PreparedData given,
            RunOptions options,
            RunProgress progress,
            Clock clock) {
        this.asked = job;
        this.job = job;
        this.given = given;
        this.options = options;
        this.progress = progress;
        this.clock = clock;
    }

    /** Runs a new job. */
    public static RunResult train(JobSpec job, RunOptions options, RunProgress progress) {
        return train(job, null, options, progress);
    }

    /**
     * Runs a new job on data that are prepared already.
     *
     * @param given in place of what {@code job} names; null for that
     */
    public static RunResult train(
            JobSpec job, @Nullable PreparedData given, RunOptions options, RunProgress progress) {
        try (UserClasses classes = UserClasses.of(job);
                UserClasses.Scope here = classes.enter()) {
            RunProgress watching = Callbacks.with(job, progress);
            JobSpec known = asRecorded(job, options);
            return new JobRun(
                            JobWorkers.withThreads(known), given, options, watching, Clock.system())
                    .run();
        }
    }

    /** The job of a run that is gone on with. */
    public static JobSpec jobOf(Path run) {
        try {
            return Json.read(RunFolder.at(run).job(), JobSpec.class);
        } catch (IOException e) {
            throw new ConfigException(
                    run + " is not a run: its job cannot be read: " + e.getMessage(), e);
        }
    }

    /** The same with the strategy of its first step, where it chose that. */
    public static JobSpec firstJobOf(Path run) {
        JobSpec job = jobOf(run);
        StrategySpec first = RecordedPlans.firstStrategy(RunFolder.at(run));
        return first == null || job.strategy().hasOpenCodec() ? job : job.with(first);
    }

    /**
     * The same job with the strategy that a run chose: the last one of a run which is gone on with,
     * the first one of a run whose plans are repeated, which say when another came. A job that
     * names its strategy stays as it is, since such a run chose nothing but perhaps a codec, which
     * it chooses anew.
     */
    public static JobSpec asRecorded(JobSpec job, RunOptions options) {
        StrategySpec chosen = null;
        if (options.resume() != null && !job.strategy().hasOpenCodec()) {
            chosen = RecordedPlans.strategy(RunFolder.at(options.resume()));
        } else if (job.strategy().isOpen() && options.replay() != null) {
            chosen = RecordedPlans.firstStrategy(RunFolder.at(options.replay()));
        }
        return chosen == null ? job : job.with(chosen);
    }

    private RunResult run() {
        if (options.resume() == null) {
            return served();
        }
        RunFolder resumed = RunFolder.at(options.resume());
        try (RunLock unused = RunLock.take(resumed)) {
            RunRecord.requireEnded(resumed);
            resumedFrom = latest(resumed);
            Optional<Checkpoint> some = resumedFrom.usable();
            return served();
        }
    }

    private RunResult served() {
        WorkerSource.requireDoor(job.cluster());
        Serving where = options.serving();
        if (where == null) {
            return prepared();
        }
        try (MetricsServer server = MetricsServer.open(where, info())) {
            metrics = server;
            progress.serving(server.address(), server.pageAddress());
            return prepared();
        }
    }

    private RunLabels info() {
        return new RunLabels(
                "",
                job.name(),
                Version.build(),
                job.model().family(),
                Words.of(job.strategy().kind()));
    }

    private RunResult prepared() {
        Tracking.require(job.track(), System::getenv);
        if (options.rescue() != null) {
            WritableFolder.require(options.rescue(), 0);
        }
        if (options.replay() != null) {
            ReplayPlan unused = new ReplayPlan(RecordedPlans.of(RunFolder.at(options.replay())));
        }
        StoreUrl store = job.checkpoint().storeUrl();
        if (store != null) {
            RunStore runs = new RunStore(store, System::getenv);
            runs.requireWritable();
            if (options.resume() != null) {
                runs.requireNoLater(RunFolder.at(options.resume()), lastSaved());
            }
        }
        job = InitialModel.found(job);
        initial = InitialModel.of(options, job);
        PreparedData data =
                given != null ? given : prepare(job, initial, options.cache(), progress::preparing);
        progress.prepared(data);
        job = job.of(data.trainSamples());
        if (options.resume() != null) {
            DataIdentity.require(RunFolder.at(options.resume()), data);
        }
        if (options.replay() != null) {
            requireBatchOf(options.replay());
        }
        requireSamples(job, data);
        requireFit(job, data);
        ShardSurvey.require(data);
        if (initial != null) {
            initial.requireFit(job, data.signature());
        }
        DataShipment.stock(data, job.cluster().join(), System::getenv, progress);
        return recorded(data);
    }

    /** Its plans cut batches of that size; where a step takes all samples, it is known by now. */
    private void requireBatchOf(Path replayed) {
        int before = firstJobOf(replayed).train().batch();
        ConfigException.check(
                job.train().batch() == before,
                "--replay %s: its steps had %,d samples, and here they have %,d: the same numbers"
                        + " need the same job on the same data",
                replayed,
                before,
                job.train().batch());
    }

    private static PreparedData prepare(
            JobSpec job,
            @Nullable InitialModel initial,
            Path caches,
            PreparationProgress progress) {
        Path cache = caches.resolve("data");
        PreparationProgress judged =
                new PreparationProgress() {
                    @Override
                    public void at(String phase, long done, long total) {
                        progress.at(phase, done, total);
                    }

                    @Override
                    public void classes(List<String> classes) {
                        job.train().loss().weights().require(classes);
                    }
                };
        return initial != null
                ? initial.prepare(job, cache, judged)
                : Datasets.prepare(job.data(), job.seed(), cache, judged);
    }

    /** The data of a job that is not run yet, as its run will have them. */
    public static PreparedData prepare(JobSpec job, Path caches, PreparationProgress progress) {
        return prepare(job, InitialModel.of(job), caches, progress);
    }

    /** The job with what lies in the folder of the pretrained model that it names, if any. */
    public static JobSpec found(JobSpec job) {
        return InitialModel.found(job);
    }

    private RunResult recorded(PreparedData data) {
        Path resumed = options.resume();
        RunFolder folder =
                resumed != null
                        ? RunFolder.at(resumed)
                        : RunFolder.create(options.runs(), job.name(), clock);
        // One that is gone on with is held since before its data was looked at.
        try (RunLock unusedToo = resumed == null ? RunLock.take(folder) : null;
                InUse unused = InUse.begin(data);
                RunMirror mirror = mirror(folder); // Until the record is whole.
                RunRecorder recorder = recorder(folder, data);
                Tracking tracking = tracking(folder)) {
            tracked = tracking;
            recorder.jobFile(JobYaml.commented(asked));
            recorder.data(data.findings());
            recorder.dataIdentity(DataIdentity.of(data));
            MachineProbe probe = new MachineProbe(clock, folder.path(), List.of());
            MachineProfile here = new KnownMachine(probe, options.cache(), clock).look();
            recorder.machine(here);
            if (metrics != null) {
                metrics.follow(folder);
            }
            progress.began(folder);
            chooseTables(data.signature(), here);
            Learning learning = learning(folder, data);
            EarlierRuns earlier =
                    new EarlierRuns(options, job, here, data.signature(), learning, clock);
            RunOutcome outcome = coordinate(folder, recorder, data, earlier);
            recorder.finish(state(outcome), outcome.why(), resumeCommand(folder, outcome));
            earlier.keep();
            report(folder, outcome);
            progress.interruptible(() -> interrupted(() -> stopWaiting(tracking, mirror)));
            return new RunResult(folder, outcome, recorder.summary(), folder.report());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while coordinating a run", e);
        }
    }

    private static void stopWaiting(Tracking tracking, @Nullable RunMirror mirror) {
        tracking.stopWaiting();
        if (mirror != null) {
            mirror.stopWaiting();
        }
    }

    private Tracking tracking(RunFolder folder) {
        long from = options.resume() == null ? 0 : lastSaved();
        return Tracking.begin(job, folder, from, System::getenv, clock, this::warn);
    }

    /** Keeps the run in the object store that the job names; null where it names none. */
    private @Nullable RunMirror mirror(RunFolder folder) {
        StoreUrl store = job.checkpoint().storeUrl();
        return store == null
                ? null
                : RunMirror.begin(store, folder.path(), System::getenv, clock, this::warn);
    }

    /** The second, whatever the first came to, is at once. */
    private void interrupted(Runnable atOnce) {
        if (interrupts.incrementAndGet() > 1) {
            atOnce.run();
        }
    }

    private void warn(String why) {
        progress.happened(RunEvent.of(clock.wallMillis(), 0, RunEvent.Kind.WARNING, why));
    }

    /** Machines that join are not known yet: theirs are taken to have room. */
    private void chooseTables(Signature signature, MachineProfile here) {
        if (!(job.model() instanceof ModelSpec.Factorization model)) {
            return;
        }
        long bytes =
                job.cluster().join() != null
                        ? Long.MAX_VALUE
                        : here.memory().usableBytes() / Math.max(1, job.cluster().workers());
        TablesChoice choice =
                TablesChoice.of(
                        model.factors(),
                        signature,
                        TablesChoice.Room.of(bytes, WorkerProcess.javaOptions(job)));
        if (choice.tables() != model.factors().tables()) {
            FactorSpec held = model.factors().holding(choice.tables());
            job = job.with(new ModelSpec.Factorization(held));
            dealtWhy = held.isDealt() ? choice.why() : null;
        }
    }

    /** With what a run has learnt so far that is gone on with. */
    private Learning learning(RunFolder folder, PreparedData data) {
        Learning learning =
                initial == null
                        ? Learning.of(job, data, options, clock)
                        : Learning.fromModel(job, data, clock);
        if (options.resume() != null) {
            RunRecord record = RunRecord.read(folder);
            long strategies =
                    PlanRecord.inForce(record.plans()).stream()
                            .map(PlanRecord::strategy)
                            .filter(Objects::nonNull)
                            .distinct()
                            .count();
            if (strategies > 1) {
                learning.wasChanged();
            }
            record.evaluations().stream()
                    .filter(evaluation -> evaluation.step() <= lastSaved())
                    .forEach(learning::evaluation);
        }
        return learning;
    }

    /** A report that cannot be written must not hide how the run ended. */
    private void report(RunFolder folder, RunOutcome outcome) {
        try {
            Report.write(folder.path());
        } catch (RuntimeException e) {
            boolean isSaid = e instanceof ConfigException;
            String why = isSaid ? "" + e.getMessage() : "the report could not be written: " + e;
            progress.happened(
                    RunEvent.of(clock.wallMillis(), outcome.step(), RunEvent.Kind.WARNING, why));
        }
    }

    /** The observers who see the records as they are made. */
    private List<RunObserver> observers(Learning learning) {
        List<RunObserver> observers =
                new ArrayList<>(List.of(new ProgressObserver(progress), learning));
        if (metrics != null) {
            observers.add(metrics);
        }
        if (tracked != null) {
            observers.addAll(tracked.observers());
        }
        return observers;
    }

    private RunRecorder recorder(RunFolder folder, PreparedData data) {
        RunIdentity identity =
                new RunIdentity(
                        job.name(),
                        clock.wallMillis(),
                        options.command(),
                        Version.build(),
                        RunProcess.self());
        if (options.resume() == null) {
            if (initial != null) {
                initial.keep(folder, data);
            }
            return RunRecorder.start(folder, identity, job, RecorderOptions.defaults(), clock);
        }
        // A machine that joins may hold a later state than the checkpoint that is here.
        long from = job.cluster().join() == null ? lastSaved() : Long.MAX_VALUE;
        return RunRecorder.resume(folder, from, identity, job, RecorderOptions.defaults(), clock);
    }

    private long lastSaved() {
        return saved().map(Checkpoint::step).orElse(0L);
    }

    /** The checkpoint that a run resumes from; empty for a new one. */
    private Optional<Checkpoint> saved() {
        LatestCheckpoint latest = resumedFrom;
        return latest == null ? Optional.empty() : latest.usable();
    }

    /** A checkpoint may be under way that workers write whose coordinator was killed. */
    private LatestCheckpoint latest(RunFolder folder) {
        long untilNs = clock.awakeNs() + LAST_WRITE_NS;
        while (CheckpointStore.isBeingWritten(folder.checkpoints()) && clock.awakeNs() < untilNs) {
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        }
        return CheckpointStore.latest(folder.checkpoints());
    }

    private RunOutcome coordinate(
            RunFolder folder, RunRecorder recorder, PreparedData data, EarlierRuns earlier)
            throws IOException, InterruptedException {
        Files.createDirectories(folder.logs());
        Assignment assignment =
                new Assignment(
                        job,
                        data,
                        folder.path().toAbsolutePath().toString(),
                        initial == null ? null : initial.weights(),
                        rescue(options.rescue()),
                        versions());
        StepSchedule schedule = schedule(folder, data.trainSamples());
        RecordingWatcher watcher =
                new RecordingWatcher(
                        recorder,
                        observers(earlier.learning()),
                        recorded(folder, schedule),
                        Metrics.names(job.train(), data.signature().target()),
                        job.cluster().workers(),
                        options.offers(),
                        clock);
        RunStrategy strategy = new RunStrategy(assignment, progress, watcher, earlier);
        PlanSource plans = placed(data, plans(schedule.lastStep(), strategy, earlier));
        if (options.resume() == null) {
            watcher.started(job.cluster().workers());
        } else {
            watcher.resumed(lastSaved(), job.cluster().workers());
            Objects.requireNonNull(resumedFrom).warnings().forEach(watcher::warned);
        }
        if (dealtWhy != null) {
            watcher.warned(dealtWhy);
        }
        String secret = ControlServer.secret();
        WorkerSource hands = hands(secret, folder, assignment);
        Coordinator coordinator =
                new Coordinator(
                        new CoordinatorOptions(
                                job.cluster(),
                                "run " + folder.name(),
                                job.work().name(),
                                JobIdentity.of(job),
                                Version.build(),
                                CoordinatorOptions.Patience.usual(hands.joinTimeoutNs()),
                                begin()),
                        strategy::assignment,
                        secret,
                        new Coordinator.World(
                                hands.launching(), hands.door(), plans, watcher, clock));
        progress.interruptible(
                () -> {
                    interrupts.incrementAndGet();
                    coordinator.interrupt();
                });
        return coordinator.run();
    }

    /** Recorded plans and declared shares are for a number of workers. */
    private JoinSpec.Begin begin() {
        JoinSpec join = job.cluster().join();
        boolean isForAll = options.replay() != null || !job.strategy().shares().isEmpty();
        return join == null || isForAll ? JoinSpec.Begin.ALL : join.begin();
    }

    private static @Nullable String rescue(@Nullable Path folder) {
        return folder == null ? null : folder.toAbsolutePath().toString();
    }

    /** With the sizes that steps have had, where a run is gone on with. */
    private StepSchedule schedule(RunFolder folder, long samplesPerEpoch) {
        StepSchedule schedule = StepSchedule.of(job, samplesPerEpoch);
        return options.resume() == null
                ? schedule
                : saved().map(saved -> SavedRun.of(saved).state().sizes())
                        .map(sizes -> schedule.with(goingOn(folder, sizes)))
                        .orElse(schedule);
    }

    /** With the sizes that steps have had since, which a machine may hold that joins. */
    private StepSchedule recorded(RunFolder folder, StepSchedule schedule) {
        return options.resume() == null
                ? schedule
                : schedule.with(RecordedPlans.sizes(folder, schedule.sizes(), lastSaved()));
    }

    /** The steps to come are as long as rounds of the strategy that the run has chosen last. */
    private BatchSizes goingOn(RunFolder folder, BatchSizes before) {
        return RecordedPlans.strategy(folder) == null
                ? before
                : before.from(lastSaved() + 1, job.roundSamples());
    }

    private WorkerSource hands(String secret, RunFolder folder, Assignment assignment) {
        return job.cluster().join() == null
                ? WorkerSource.ofThisMachine(
                        options.workers()
                                .of(
                                        job,
                                        JobStart.of(job),
                                        WorkerSettings.HERE,
                                        folder.logs().toAbsolutePath()),
                        secret)
                : WorkerSource.ofAgents(job, secret, folder, assignment);
    }

    /**
     * With the places of samples, where they have one; a run that is repeated has them recorded.
     */
    private PlanSource placed(PreparedData data, PlanSource source) {
        boolean isPlaced = job.data().placement() != Placement.EVERYWHERE;
        return isPlaced && options.replay() == null
                ? new PlacedPlan(source, ShardSurvey.of(data, job.seed(), clock))
                : source;
    }

    private PlanSource plans(long lastStep, RunStrategy strategy, EarlierRuns earlier) {
        if (options.replay() != null) {
            return new ReplayPlan(RecordedPlans.of(RunFolder.at(options.replay())));
        }
        if (job.strategy().isOpen()) {
            return strategy.choosing();
        }
        if (options.resume() == null) {
            return strategy.withCodec(RunPlans.of(job, lastStep, null, 0, earlier));
        }
        RunFolder resumed = RunFolder.at(options.resume());
        PlanChain chain = RunPlans.of(job, lastStep, resumed, lastSaved(), earlier);
        boolean isChosen =
                RecordedPlans.strategy(resumed) != null && !job.strategy().hasOpenCodec();
        return isChosen ? strategy.goingOn(chain, lastSaved()) : strategy.withCodec(chain);
    }

    /** Model, groups, loss and metrics fit the data; found here, before a worker starts. */
    public static void requireFit(JobSpec job, PreparedData data) {
        Signature signature = data.signature();
        Signature.Target target = signature.target();
        List<String> unused = Metrics.names(job.train(), target); // They fit, or it says why.
        if (job.train().threshold() != null) {
            target.requireTwoClasses("train.threshold");
            ConfigException.check(
                    data.validationSamples() > 0,
                    "train.threshold is chosen on validation samples, and there are none: set"
                            + " data.validation or data.split, or leave it out");
        }
        LearnerFit.require(job, data);
        if (job.model() instanceof ModelSpec.KMeans) {
            return;
        }
        ParameterLayout layout = Networks.layout(job.model(), job.train().groups(), signature);
        Fragments.require(layout, job.strategy().round().stream().fragments());
    }

    /** More workers than samples cannot train. */
    public static void requireSamples(JobSpec job, PreparedData data) {
        if (data.trainSamples() < job.cluster().workers()) {
            throw new ConfigException(
                    "%d workers for %d training samples: use at most %d workers (cluster.workers)"
                            .formatted(
                                    job.cluster().workers(),
                                    data.trainSamples(),
                                    data.trainSamples()));
        }
    }

    private static Map<String, String> versions() {
        return Map.of("medley", Version.build(), "java", Runtime.version().toString());
    }

    private static RunStatus state(RunOutcome outcome) {
        return switch (outcome.kind()) {
            case COMPLETED -> RunStatus.DONE;
            case INTERRUPTED -> RunStatus.INTERRUPTED;
            case FAILED -> RunStatus.FAILED;
        };
    }

    private static @Nullable String resumeCommand(RunFolder folder, RunOutcome outcome) {
        boolean isPointless =
                outcome.kind() == RunOutcome.Kind.COMPLETED
                        || outcome.failure() == FailureKind.UNSOUND;
        return isPointless || CheckpointStore.latest(folder.checkpoints()).found().isEmpty()
                ? null
                : "medley train --resume " + folder.path();
    }
}
