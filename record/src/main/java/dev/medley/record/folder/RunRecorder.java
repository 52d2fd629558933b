package dev.medley.record.folder;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.time.Clock;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RelayTotals;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.RunTally;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run's record while it trains. Each line is one write to the system, so that a killed
 * process loses at most the line under way (a machine that loses power may lose some seconds).
 *
 * <p>Trouble with the disk ends nothing: a method that could not write returns a {@link Fault} of
 * kind STORE, each time; the line is missing, the next is tried again. Before the start the same
 * trouble is a {@link ConfigException}.
 *
 * <p>Thread: any; a lock orders the writers.
 */
public final class RunRecorder implements AutoCloseable {
    private final RunFolder folder;
    private final RecorderOptions options;
    private final Clock clock;
    private final Map<Path, byte[]> documents = new LinkedHashMap<>();
    private LineLog plans;
    private LineLog workers;
    private BoundedLog<RunEvent> events;
    private RunTally tally;
    private BoundedLog<EvaluationRecord> evaluations;
    private StepLog steps;
    private long thinnedBefore;
    private boolean wasRemoved;
    private long summaryDueNs;
    private long unwrittenLines;
    private @Nullable RunSummary finished;
    private boolean isClosed;

    private RunRecorder(
            RunFolder folder, RecorderOptions options, Clock clock, RunTally tally, long lastStep)
            throws IOException {
        this.folder = folder;
        this.options = options;
        this.clock = clock;
        this.tally = tally;
        this.plans = LineLog.open(folder.plans());
        this.workers = LineLog.open(folder.workers());
        this.evaluations = openEvaluations();
        this.events =
                BoundedLog.open(
                        folder.events(), RunEvent.class, options, RunRecorder::lastingEvents);
        this.steps = StepLog.open(folder.steps(), options, lastStep);
        this.summaryDueNs = clock.nowNs() + options.summaryNs();
    }

    /**
     * Begins the record of a new run: writes who makes it and the resolved job. A folder that
     * cannot be written, or a disk with too little room, is a {@link ConfigException}, and nothing
     * half-written stays.
     */
    public static RunRecorder start(
            RunFolder folder,
            RunIdentity identity,
            Object job,
            RecorderOptions options,
            Clock clock) {
        try {
            requireRoom(folder, options);
            RunTally tally = new RunTally(identity.startedMillis());
            RunRecorder recorder = new RunRecorder(folder, options, clock, tally, Long.MAX_VALUE);
            recorder.write(folder.job(), pretty(job));
            recorder.writeSummary("the run has begun");
            recorder.write(folder.identity(), pretty(identity));
            return recorder;
        } catch (IOException e) {
            folder.discardUnstarted();
            throw UnusableRunFolder.unwritten(folder, e);
        } catch (ConfigException e) {
            folder.discardUnstarted();
            throw e;
        }
    }

    /**
     * Goes on with a run from the state after {@code lastStep}, or a later one that a machine may
     * bring, where that is {@link Long#MAX_VALUE}: later steps and evaluations are forgotten, since
     * they are made again; plans, workers and events stay, as the history that they are ({@link
     * PlanRecord#inForce} says which plans hold). {@code identity} is that of the process that goes
     * on; the run keeps its beginning. {@code job} is the run's own, its workers perhaps another
     * number from now on.
     */
    public static RunRecorder resume(
            RunFolder folder,
            long lastStep,
            RunIdentity identity,
            Object job,
            RecorderOptions options,
            Clock clock) {
        try {
            requireRoom(folder, options);
            RunSummary before = RunRecord.read(folder).summary();
            List<EvaluationRecord> evaluations = evaluationsUpTo(folder, lastStep);
            replaceEvaluations(folder, evaluations);
            RunTally tally = RunTally.resumed(before, lastStep);
            evaluations.forEach(tally::outcome);
            RunRecorder recorder = new RunRecorder(folder, options, clock, tally, lastStep);
            recorder.thinnedBefore = before.thinnedLines();
            recorder.unwrittenLines = before.unwrittenLines();
            tally.lacks(recorder.steps.gaps(tally.steps()));
            recorder.writeSummary("resumed after step " + tally.steps());
            recorder.write(folder.job(), pretty(job));
            recorder.write(folder.identity(), pretty(identity.startedAt(before.startedMillis())));
            recorder.remember(folder.beginning());
            return recorder;
        } catch (IOException e) {
            throw UnusableRunFolder.unwritten(folder, e);
        }
    }

    /** The folder that is written. */
    public RunFolder folder() {
        return folder;
    }

    /** The last step that was recorded. */
    public synchronized long lastStep() {
        return tally.steps();
    }

    /** The step after which the last evaluation was made that is recorded; 0 for none. */
    public synchronized long lastEvaluatedStep() {
        return tally.lastEvaluatedStep();
    }

    /**
     * Steps up to {@code last} were applied, so many samples in them, and nobody has their figures
     * any more: the summary says so.
     */
    public synchronized void lacks(long last, long samples) {
        if (last > tally.steps()) {
            tally.lacks(last, samples);
        }
    }

    /**
     * Whether the run's folder was removed and made again since the last call; with all of the
     * record, as far as this process has it.
     */
    public synchronized boolean takeRemoved() {
        boolean was = wasRemoved;
        wasRemoved = false;
        return was;
    }

    /** Records an applied step; null, or what the disk said. */
    public synchronized @Nullable Fault step(StepRecord step) {
        tally.step(step);
        Fault fault = written(folder.steps(), () -> steps.append(step));
        if (clock.nowNs() >= summaryDueNs) {
            Fault ofSummary = running();
            return fault == null ? ofSummary : fault;
        }
        return fault;
    }

    /** Counts what workers sent to each other. */
    public synchronized void links(List<LinkTotals> sent) {
        sent.forEach(tally::link);
    }

    /** Counts what workers handed on between others. */
    public synchronized void relayed(List<RelayTotals> bytes) {
        bytes.forEach(tally::relayed);
    }

    /**
     * Forgets the steps and evaluations after {@code lastStep}, which are made again: all workers
     * that held them are lost, and the run went back to its checkpoint. What they cost stays in the
     * totals. Null, or what the disk said.
     */
    public synchronized @Nullable Fault wentBackTo(long lastStep) {
        if (tally.steps() <= lastStep) {
            return null;
        }
        tally = RunTally.after(summary(), lastStep);
        Fault fault = written(folder.evaluations(), () -> forgetEvaluations(lastStep));
        Fault ofSteps = written(folder.steps(), () -> forgetSteps(lastStep));
        Fault ofSummary = running();
        return Stream.of(fault, ofSteps, ofSummary)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Where the disk takes no shorter file, the one that is there is written further. */
    private void forgetEvaluations(long lastStep) throws IOException {
        List<EvaluationRecord> kept = evaluationsUpTo(folder, lastStep);
        kept.forEach(tally::outcome);
        replaceEvaluations(folder, kept);
        BoundedLog<EvaluationRecord> shorter = openEvaluations();
        thinnedBefore += evaluations.leftOut();
        try (BoundedLog<EvaluationRecord> before = evaluations) {
            evaluations = shorter;
        }
    }

    private void forgetSteps(long lastStep) throws IOException {
        StepLog shorter = StepLog.open(folder.steps(), options, lastStep);
        StepLog before = steps;
        steps = shorter;
        before.discard();
    }

    /** Records an evaluation; null, or what the disk said. */
    public synchronized @Nullable Fault evaluation(EvaluationRecord evaluation) {
        tally.evaluation(evaluation);
        Fault fault = written(folder.evaluations(), () -> evaluations.append(evaluation));
        Fault ofSummary = running();
        return fault == null ? ofSummary : fault;
    }

    /** Records a plan; null, or what the disk said. */
    public synchronized @Nullable Fault plan(PlanRecord plan) {
        tally.formed(plan);
        return written(folder.plans(), () -> plans.append(Json.line(plan)));
    }

    /** Records a worker that is ready; null, or what the disk said. */
    public synchronized @Nullable Fault worker(WorkerRecord worker) {
        return written(folder.workers(), () -> workers.append(Json.line(worker)));
    }

    /** Records an event; null, or what the disk said. */
    public synchronized @Nullable Fault event(RunEvent event) {
        tally.event(event);
        return written(folder.events(), () -> events.append(event));
    }

    /** Records the machine: any value that JSON can say. */
    public @Nullable Fault machine(Object machine) {
        return document(folder.machine(), machine);
    }

    /** Records the machines and the ways between them: the last that was said holds. */
    public @Nullable Fault cluster(ClusterProfile cluster) {
        return document(folder.cluster(), cluster);
    }

    /** Records what is to be said of the best model so far. */
    public @Nullable Fault evaluationReport(EvaluationReport report) {
        return document(folder.evaluationReport(), report);
    }

    /** Records the job as a job file, for people and for another run. */
    public @Nullable Fault jobFile(String yaml) {
        return written(
                folder.jobFile(),
                () -> write(folder.jobFile(), yaml.getBytes(StandardCharsets.UTF_8)));
    }

    /** Records what was found in the data: any value that JSON can say. */
    public @Nullable Fault data(Object data) {
        return document(folder.data(), data);
    }

    /** Records by what the data is known again: any value that JSON can say. */
    public @Nullable Fault dataIdentity(Object identity) {
        return document(folder.dataIdentity(), identity);
    }

    /**
     * The run has ended.
     *
     * @param state any but RUNNING
     * @param message one sentence: why
     * @param resume the command that goes on with it; null if there is nothing to go on with
     */
    public synchronized @Nullable Fault finish(
            RunStatus state, String message, @Nullable String resume) {
        if (state == RunStatus.RUNNING) {
            throw new IllegalArgumentException("a finished run does not run");
        }
        restoreIfRemoved();
        RunSummary last = summary(state, message, resume);
        finished = last;
        return written(folder.summary(), () -> AtomicWrite.bytes(folder.summary(), pretty(last)));
    }

    /** The figures so far; those of the end once the run is finished. */
    public synchronized RunSummary summary() {
        RunSummary last = finished;
        if (last != null) {
            return last;
        }
        return summary(RunStatus.RUNNING, "running", null);
    }

    private RunSummary summary(RunStatus state, String message, @Nullable String resume) {
        return tally.summary(
                state,
                message,
                resume,
                clock.wallMillis(),
                unwrittenLines,
                thinnedBefore + evaluations.leftOut() + events.leftOut());
    }

    /** Closes the files. A run that was not finished has failed. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (finished == null) {
            finish(RunStatus.FAILED, "the run ended without saying why: see the logs", null);
        }
        written(folder.steps(), steps::close);
        written(folder.plans(), plans::close);
        written(folder.workers(), workers::close);
        written(folder.evaluations(), evaluations::close);
        written(folder.events(), events::close);
    }

    private @Nullable Fault running() {
        summaryDueNs = clock.nowNs() + options.summaryNs();
        Fault fault = restoreIfRemoved();
        Fault ofSummary = written(folder.summary(), () -> writeSummary("running"));
        return fault == null ? ofSummary : fault;
    }

    /**
     * What of the folder was removed while the run goes on is made again, and nothing else: the
     * files that are open still hold all of their lines.
     */
    private @Nullable Fault restoreIfRemoved() {
        if (Files.exists(folder.identity()) || !documents.containsKey(folder.identity())) {
            return null;
        }
        wasRemoved |= !Files.exists(folder.steps());
        return written(
                folder.path(),
                () -> {
                    Files.createDirectories(folder.logs());
                    steps.restore();
                    plans = plans.at(folder.plans());
                    workers = workers.at(folder.workers());
                    evaluations.restore();
                    events.restore();
                    for (Map.Entry<Path, byte[]> document : documents.entrySet()) {
                        if (!Files.exists(document.getKey())) {
                            AtomicWrite.bytes(document.getKey(), document.getValue());
                        }
                    }
                });
    }

    private BoundedLog<EvaluationRecord> openEvaluations() throws IOException {
        return BoundedLog.open(
                folder.evaluations(),
                EvaluationRecord.class,
                options,
                RunRecorder::lastingEvaluations);
    }

    /** The best by the first metric, of equals the last. */
    private static BitSet lastingEvaluations(List<EvaluationRecord> all) {
        int best = -1;
        for (int i = 0; i < all.size(); i++) {
            List<MetricValue> metrics = all.get(i).metrics();
            boolean isBest =
                    !metrics.isEmpty()
                            && (best < 0 || !all.get(best).metrics().get(0).beats(metrics.get(0)));
            best = isBest ? i : best;
        }
        BitSet lasting = new BitSet();
        if (best >= 0) {
            lasting.set(best);
        }
        return lasting;
    }

    /** What does not come again with every epoch or checkpoint. */
    private static BitSet lastingEvents(List<RunEvent> all) {
        BitSet lasting = new BitSet();
        for (int i = 0; i < all.size(); i++) {
            lasting.set(i, !all.get(i).kind().isRepetitive());
        }
        return lasting;
    }

    private void write(Path file, byte[] content) throws IOException {
        documents.remove(file);
        AtomicWrite.bytes(file, content);
        documents.put(file, content);
    }

    private void remember(Path file) throws IOException {
        if (Files.exists(file)) {
            documents.put(file, Files.readAllBytes(file));
        }
    }

    private void writeSummary(String message) throws IOException {
        AtomicWrite.passing(folder.summary(), pretty(summary(RunStatus.RUNNING, message, null)));
    }

    private synchronized @Nullable Fault document(Path file, Object value) {
        return written(file, () -> write(file, pretty(value)));
    }

    private @Nullable Fault written(Path file, Writing writing) {
        try {
            writing.run();
            return null;
        } catch (IOException e) {
            unwrittenLines++;
            return new Fault(
                    Fault.Kind.STORE,
                    file.toString(),
                    String.format(
                            Locale.ROOT,
                            "%s could not be written (%s): training goes on, this part of the"
                                    + " run's record is missing",
                            file,
                            RunFolder.reason(e)));
        }
    }

    private static byte[] pretty(Object value) {
        return Json.pretty(value).getBytes(StandardCharsets.UTF_8);
    }

    private static void requireRoom(RunFolder folder, RecorderOptions options) throws IOException {
        long freeBytes = Files.getFileStore(folder.path()).getUsableSpace();
        if (freeBytes < options.leastFreeBytes()) {
            throw UnusableRunFolder.full(folder, freeBytes, options.leastFreeBytes());
        }
    }

    private static List<EvaluationRecord> evaluationsUpTo(RunFolder folder, long lastStep)
            throws IOException {
        return JsonLines.read(folder.evaluations(), EvaluationRecord.class).values().stream()
                .filter(evaluation -> evaluation.step() <= lastStep)
                .toList();
    }

    private static void replaceEvaluations(RunFolder folder, List<EvaluationRecord> kept)
            throws IOException {
        StringBuilder text = new StringBuilder();
        kept.forEach(evaluation -> text.append(Json.line(evaluation)).append('\n'));
        AtomicWrite.bytes(folder.evaluations(), text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** One thing to write. */
    private interface Writing {
        void run() throws IOException;
    }
}
