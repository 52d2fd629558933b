package dev.medley.hub;

import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.fleet.hub.JobKinds;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import dev.medley.hub.service.TermsChange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks what users hand in before it is taken. */
final class Submissions {
    /** No deadline, no budget. */
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private static final int MOST_PRIORITY = 1_000_000;
    private static final int MOST_MACHINES = 4096;
    private static final int LONGEST_GROUP = 64;

    /**
     * What the core takes.
     *
     * @throws ConfigException if the job's file or its bounds cannot be used
     */
    JobRequest checked(Submission submission) {
        int min = submission.minMachines() == 0 ? 1 : submission.minMachines();
        int max = submission.maxMachines() == 0 ? Math.max(min, 16) : submission.maxMachines();
        requireBounds(min, max);
        Path folder = Path.of(submission.folder());
        ConfigException.check(
                folder.isAbsolute() && Files.isDirectory(folder),
                "the hub's machine does not see the folder %s, against which paths in the job's"
                        + " file are; submit from a folder that it sees",
                submission.folder());
        JobFile file = JobFile.parse(submission.name(), submission.jobFile(), folder, List.of());
        file.requireClasses();
        JobSpec job = file.spec();
        for (String path : job.data().train()) {
            ConfigException.check(
                    StoreUrl.isUrl(path) || Files.exists(Path.of(path)),
                    "%s: data.train names %s, which the hub's machine does not see",
                    submission.name(),
                    path);
        }
        SubmitTerms terms = submission.terms();
        Double deadline = terms.deadlineEpochS();
        Double budget = terms.budget();
        requireTerms(terms.priority(), deadline, budget);
        ConfigException.check(
                terms.group().length() <= LONGEST_GROUP
                        && terms.group().chars().noneMatch(Character::isISOControl),
                "--group: give a word of at most %d characters, none of them a control character",
                LONGEST_GROUP);
        String kind =
                JobKinds.word(job.model().family(), Math.max(1, job.train().batch()), job.name());
        return new JobRequest(
                job.name(),
                kind,
                submission.jobFile(),
                submission.folder(),
                new JobOwner(
                        submission.user(),
                        terms.group(),
                        terms.priority(),
                        deadline == null ? NEVER : deadline,
                        budget == null ? NEVER : budget),
                min,
                max,
                DataSize.of(job.data().train()));
    }

    private static void requireBounds(int min, int max) {
        ConfigException.check(
                1 <= min && min <= max && max <= MOST_MACHINES,
                "--min %d and --max %d contradict each other; give 1 <= min <= max <= %d",
                min,
                max,
                MOST_MACHINES);
    }

    private static void requireTerms(
            int priority, @Nullable Double deadlineS, @Nullable Double budget) {
        ConfigException.check(
                deadlineS == null || Double.isFinite(deadlineS),
                "--deadline at second %s: give a moment",
                deadlineS == null ? 0 : deadlineS);
        ConfigException.check(
                Math.abs((long) priority) <= MOST_PRIORITY,
                "--priority %d: give a number from -%d to %d",
                priority,
                MOST_PRIORITY,
                MOST_PRIORITY);
        ConfigException.check(
                budget == null || budget > 0 && Double.isFinite(budget),
                "--budget %s: give an amount above 0",
                budget == null ? 0 : budget);
    }

    /**
     * A request under other terms.
     *
     * @throws ConfigException if they contradict each other
     */
    static JobRequest changed(JobRequest request, TermsChange change) {
        JobOwner owner = request.owner();
        Integer priority = change.priority();
        Double deadline = change.deadlineEpochS();
        Double budget = change.budget();
        Integer min = change.minMachines();
        Integer max = change.maxMachines();
        int newMin = min == null ? request.minMachines() : min;
        int newMax = max == null ? request.maxMachines() : max;
        int newPriority = priority == null ? owner.priority() : priority;
        requireBounds(newMin, newMax);
        requireTerms(newPriority, deadline, budget);
        requireLifted(change);
        double kept = change.lifts(TermsChange.DEADLINE) ? NEVER : owner.deadlineS();
        double rest = change.lifts(TermsChange.BUDGET) ? NEVER : owner.budget();
        return new JobRequest(
                request.name(),
                request.kind(),
                request.file(),
                request.folder(),
                new JobOwner(
                        owner.user(),
                        owner.group(),
                        newPriority,
                        deadline == null ? kept : deadline,
                        budget == null ? rest : budget),
                newMin,
                newMax,
                request.data());
    }

    private static void requireLifted(TermsChange change) {
        List<String> lifted = change.lifted();
        for (String term : lifted == null ? List.<String>of() : lifted) {
            ConfigException.check(
                    term.equals(TermsChange.DEADLINE) || term.equals(TermsChange.BUDGET),
                    "lifted: %s cannot be taken off a job; deadline and budget can",
                    term);
        }
        ConfigException.check(
                !(change.lifts(TermsChange.DEADLINE) && change.deadlineEpochS() != null)
                        && !(change.lifts(TermsChange.BUDGET) && change.budget() != null),
                "a term is both given and taken off: leave one of them out");
    }
}
