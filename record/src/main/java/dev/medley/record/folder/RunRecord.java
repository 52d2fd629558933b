package dev.medley.record.folder;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.RunTally;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.StillImproving;
import dev.medley.record.entry.WorkerRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A run read back from its folder, whatever its state: one that trains, one that was killed, one
 * that failed before its first step.
 *
 * @param folder where it lies
 * @param identity of the run and its process
 * @param summary its figures; of a killed run, those of its last seconds are missing
 * @param job the resolved job; null if it never came so far
 * @param machine what it ran on; null if nobody measured
 * @param cluster its machines and the paths between them; null on one machine
 * @param evaluation what is to be said of the best model; null where nothing was evaluated, and in
 *     older runs
 * @param data what was found in the data; null if it never came so far
 * @param plans that held, in order of steps
 * @param workers in the order in which they were ready; none in older runs
 * @param steps in order, thinned in long runs
 * @param evaluations in order
 * @param events in order
 * @param unreadableLines of all files together
 */
public record RunRecord(
        RunFolder folder,
        RunIdentity identity,
        RunSummary summary,
        @Nullable JsonNode job,
        @Nullable JsonNode machine,
        @Nullable JsonNode cluster,
        @Nullable EvaluationReport evaluation,
        @Nullable JsonNode data,
        List<PlanRecord> plans,
        List<WorkerRecord> workers,
        List<StepRecord> steps,
        List<EvaluationRecord> evaluations,
        List<RunEvent> events,
        int unreadableLines) {

    /** Who makes a run, without reading the rest of the record. */
    public static RunIdentity identityOf(RunFolder folder) {
        try {
            return identity(folder);
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /** What its workers are called. */
    public WorkerNames names() {
        return WorkerNames.of(workers);
    }

    /** The same without reading the rest of the record. */
    public static WorkerNames names(RunFolder folder) {
        try {
            return WorkerNames.of(JsonLines.read(folder.workers(), WorkerRecord.class).values());
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /** See {@link StillImproving#sentence}. */
    public String stillImproving() {
        return StillImproving.sentence(summary.state(), evaluations, job);
    }

    /** The same of a run with that summary, without reading the rest of the record. */
    public static String stillImproving(RunFolder folder, RunSummary summary) {
        try {
            return StillImproving.sentence(
                    summary.state(),
                    JsonLines.read(folder.evaluations(), EvaluationRecord.class).values(),
                    said(folder.job(), JsonNode.class));
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /** What is to be said of its best model, without reading the rest of the record. */
    public static @Nullable EvaluationReport evaluation(RunFolder folder) {
        try {
            return said(folder.evaluationReport(), EvaluationReport.class);
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /** What its steps are. */
    public StepWord stepWord() {
        return StepWord.of(job, plans);
    }

    /** Reads a whole run; a folder that holds none is a {@link ConfigException}. */
    public static RunRecord read(RunFolder folder) {
        try {
            JsonLines<PlanRecord> plans = JsonLines.read(folder.plans(), PlanRecord.class);
            JsonLines<WorkerRecord> workers = JsonLines.read(folder.workers(), WorkerRecord.class);
            JsonLines<StepRecord> steps = JsonLines.read(folder.steps(), StepRecord.class);
            JsonLines<EvaluationRecord> evaluations =
                    JsonLines.read(folder.evaluations(), EvaluationRecord.class);
            JsonLines<RunEvent> events = JsonLines.read(folder.events(), RunEvent.class);
            return new RunRecord(
                    folder,
                    identity(folder),
                    upToDate(readSummary(folder), steps.values(), evaluations.values()),
                    said(folder.job(), JsonNode.class),
                    said(folder.machine(), JsonNode.class),
                    said(folder.cluster(), JsonNode.class),
                    said(folder.evaluationReport(), EvaluationReport.class),
                    said(folder.data(), JsonNode.class),
                    PlanRecord.inForce(plans.values()),
                    workers.values(),
                    steps.values(),
                    evaluations.values(),
                    events.values(),
                    plans.unreadable()
                            + workers.unreadable()
                            + steps.unreadable()
                            + evaluations.unreadable()
                            + events.unreadable());
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /**
     * The figures of a run alone, which is quick. A run whose process is gone without a word is
     * {@link RunStatus#VANISHED}.
     */
    public static RunSummary summary(RunFolder folder) {
        try {
            return readSummary(folder);
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /**
     * Nobody else writes the run: two coordinators would spoil each other's checkpoints and
     * records. A run of another machine counts as ended, since nobody here can tell.
     *
     * @throws ConfigException if its process lives
     */
    public static void requireEnded(RunFolder folder) {
        try {
            RunProcess process = identity(folder).process();
            ConfigException.check(
                    summary(folder).state() != RunStatus.RUNNING || !process.isAliveHere(),
                    "%s goes on in process %d: wait for its end, or interrupt it first",
                    folder.path(),
                    process.pid());
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /**
     * The maker of a run. Where the file was cut short, as by a power failure, what it said comes
     * from the job and is otherwise unknown; that process is over.
     */
    private static RunIdentity identity(RunFolder folder) throws IOException {
        try {
            return Json.read(folder.identity(), RunIdentity.class);
        } catch (ConfigException damaged) {
            JsonNode job = said(folder.job(), JsonNode.class);
            return new RunIdentity(
                    job == null ? folder.name() : job.path("name").asString(folder.name()),
                    Files.getLastModifiedTime(folder.identity()).toMillis(),
                    "",
                    "",
                    RunProcess.over());
        }
    }

    private static RunSummary readSummary(RunFolder folder) throws IOException {
        RunIdentity identity = identity(folder);
        RunSummary summary;
        try {
            summary =
                    Files.exists(folder.summary())
                            ? Json.read(folder.summary(), RunSummary.class)
                            : nothing(identity, "the run has just begun");
        } catch (ConfigException damaged) {
            summary = countedAnew(folder, identity);
        }
        boolean isGone = summary.state() == RunStatus.RUNNING && identity.process().hasEnded();
        return isGone
                ? summary.withState(
                        RunStatus.VANISHED,
                        "its process ("
                                + identity.process().pid()
                                + " on "
                                + identity.process().host()
                                + ") ended without a word: killed, or the machine went down")
                : summary;
    }

    private static RunSummary nothing(RunIdentity identity, String why) {
        return new RunTally(identity.startedMillis())
                .summary(RunStatus.RUNNING, why, null, identity.startedMillis(), 0, 0);
    }

    /** The figures of a run whose summary was cut short: its lines are still there. */
    private static RunSummary countedAnew(RunFolder folder, RunIdentity identity)
            throws IOException {
        List<StepRecord> steps = JsonLines.read(folder.steps(), StepRecord.class).values();
        List<EvaluationRecord> evaluations =
                JsonLines.read(folder.evaluations(), EvaluationRecord.class).values();
        List<RunEvent> events = JsonLines.read(folder.events(), RunEvent.class).values();
        RunTally tally = new RunTally(identity.startedMillis());
        evaluations.forEach(tally::evaluation);
        events.forEach(tally::event);
        RunEvent last = events.isEmpty() ? null : events.get(events.size() - 1);
        RunSummary lines =
                tally.summary(
                        last == null ? RunStatus.RUNNING : last.kind().endsAs(),
                        last == null ? "the run has just begun" : last.message(),
                        null,
                        last == null ? identity.startedMillis() : last.wallMillis(),
                        0,
                        0);
        return upToDate(lines, steps, evaluations);
    }

    /**
     * A killed run's summary is some seconds old: the lines after it say more. Of steps that were
     * thinned out between two lines, as many samples are counted as of the one that follows.
     */
    private static RunSummary upToDate(
            RunSummary summary, List<StepRecord> steps, List<EvaluationRecord> evaluations) {
        StepRecord last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
        if (last == null || last.step() <= summary.steps()) {
            return summary;
        }
        RunTally tally = RunTally.after(summary, summary.steps());
        for (StepRecord step : steps) {
            long between = step.step() - tally.steps() - 1;
            if (between > 0) {
                tally.lacks(step.step() - 1, between * step.samples());
            }
            if (between >= 0) {
                tally.step(step);
            }
        }
        evaluations.forEach(tally::outcome);
        return tally.summary(
                summary.state(),
                summary.message(),
                summary.resume(),
                Math.max(last.wallMillis(), summary.updatedMillis()),
                summary.unwrittenLines(),
                summary.thinnedLines());
    }

    /** When a run began; 0 if its folder does not say. */
    static long startedMillis(RunFolder folder) {
        try {
            return identity(folder).startedMillis();
        } catch (IOException | ConfigException e) {
            return 0;
        }
    }

    /** What is in a file for people and reports; null for one that is not there, or damaged. */
    private static <T> @Nullable T said(Path file, Class<T> type) throws IOException {
        try {
            return Files.exists(file) ? Json.read(file, type) : null;
        } catch (ConfigException damaged) {
            return null;
        }
    }

    private static ConfigException unreadable(RunFolder folder, IOException e) {
        return new ConfigException(
                "the run in " + folder.path() + " cannot be read: " + RunFolder.reason(e), e);
    }
}
