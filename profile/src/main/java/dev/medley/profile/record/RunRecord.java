package dev.medley.profile.record;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A run read back from its folder, whatever its state: one that goes on, one that was killed, one
 * that failed before its first step.
 *
 * @param folder where it lies
 * @param identity who made it
 * @param summary its figures; of a killed run, those of its last seconds are missing
 * @param job the resolved job; null if it never came so far
 * @param machine what it ran on; null if nobody measured
 * @param cluster its machines and the ways between them; null on one machine
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
        @Nullable JsonNode data,
        List<PlanRecord> plans,
        List<WorkerRecord> workers,
        List<StepRecord> steps,
        List<EvaluationRecord> evaluations,
        List<RunEvent> events,
        int unreadableLines) {

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
                    Json.read(folder.identity(), RunIdentity.class),
                    upToDate(readSummary(folder), steps.values(), evaluations.values()),
                    tree(folder.job()),
                    tree(folder.machine()),
                    tree(folder.cluster()),
                    tree(folder.data()),
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
     * {@link RunState#VANISHED}.
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
            RunProcess process = Json.read(folder.identity(), RunIdentity.class).process();
            ConfigException.check(
                    summary(folder).state() != RunState.RUNNING || !process.isAliveHere(),
                    "%s goes on in process %d: wait for its end, or interrupt it first",
                    folder.path(),
                    process.pid());
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    private static RunSummary readSummary(RunFolder folder) throws IOException {
        RunIdentity identity = Json.read(folder.identity(), RunIdentity.class);
        RunSummary summary =
                Files.exists(folder.summary())
                        ? Json.read(folder.summary(), RunSummary.class)
                        : new RunTally(identity.startedMillis())
                                .summary(
                                        RunState.RUNNING,
                                        "the run has just begun",
                                        null,
                                        identity.startedMillis(),
                                        0);
        boolean isGone = summary.state() == RunState.RUNNING && identity.process().hasEnded();
        return isGone
                ? summary.withState(
                        RunState.VANISHED,
                        "its process ("
                                + identity.process().pid()
                                + " on "
                                + identity.process().host()
                                + ") ended without a word: killed, or the machine went down")
                : summary;
    }

    /**
     * A killed run's summary is some seconds old; where all its steps are still there, they say
     * more.
     */
    private static RunSummary upToDate(
            RunSummary summary, List<StepRecord> steps, List<EvaluationRecord> evaluations) {
        StepRecord last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
        boolean hasAll = last != null && last.step() == steps.size();
        if (last == null || !hasAll || last.step() <= summary.steps()) {
            return summary;
        }
        RunTally tally = new RunTally(summary.startedMillis());
        steps.forEach(tally::step);
        evaluations.forEach(tally::evaluation);
        return tally.replacing(summary, Math.max(last.wallMillis(), summary.updatedMillis()));
    }

    /** When a run began; 0 if its folder does not say. */
    static long startedMillis(RunFolder folder) {
        try {
            return Json.read(folder.identity(), RunIdentity.class).startedMillis();
        } catch (IOException | ConfigException e) {
            return 0;
        }
    }

    private static @Nullable JsonNode tree(Path file) throws IOException {
        return Files.exists(file) ? Json.read(file, JsonNode.class) : null;
    }

    private static ConfigException unreadable(RunFolder folder, IOException e) {
        return new ConfigException(
                "the run in " + folder.path() + " cannot be read: " + RunFolder.reason(e), e);
    }
}
