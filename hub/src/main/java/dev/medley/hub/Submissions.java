package dev.medley.hub;

import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.fleet.hub.JobKinds;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks what users hand in before it is taken. */
final class Submissions {
    private static final int MOST_MACHINES = 4096;

    /**
     * What the core takes.
     *
     * @throws ConfigException if the job's file or its bounds cannot be used
     */
    JobRequest checked(Submission submission) {
        int min = submission.minMachines() == 0 ? 1 : submission.minMachines();
        int max = submission.maxMachines() == 0 ? Math.max(min, 16) : submission.maxMachines();
        ConfigException.check(
                1 <= min && min <= max && max <= MOST_MACHINES,
                "--min %d and --max %d contradict each other; give 1 <= min <= max <= %d",
                submission.minMachines(),
                submission.maxMachines(),
                MOST_MACHINES);
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
                    path.contains("://") || Files.exists(Path.of(path)),
                    "%s: data.train names %s, which the hub's machine does not see",
                    submission.name(),
                    path);
        }
        SubmitTerms terms = submission.terms();
        Double deadline = terms.deadlineEpochS();
        Double budget = terms.budget();
        ConfigException.check(
                budget == null || budget > 0,
                "--budget %s: give an amount above 0",
                budget == null ? 0 : budget);
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
                        deadline == null ? Double.POSITIVE_INFINITY : deadline,
                        budget == null ? Double.POSITIVE_INFINITY : budget),
                min,
                max);
    }
}
