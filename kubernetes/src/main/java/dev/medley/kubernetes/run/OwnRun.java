package dev.medley.kubernetes.run;

import dev.medley.api.job.ComparedJob;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a coordinator begins a run, goes on with one, or has nothing left to do. A folder of
 * runs belongs to the jobs of one name. The file {@code owner.json} in it says which of them began
 * the last run there, and with which job file.
 *
 * @param folder of the runs
 * @param of kind, namespace and name of the job
 * @param uid of the job
 */
public record OwnRun(Path folder, String of, String uid) {
    private static final String FILE = "owner.json";

    /** The job that began the last run, that run's folder, and what was asked for. */
    record Owner(String uid, String run, @Nullable String of, @Nullable JobSpec job) {}

    /** What is to be done. */
    public sealed interface Next {
        /** A new run. */
        record Begin() implements Next {}

        /** A run that is there, from its last checkpoint. */
        record GoOn(RunFolder run) implements Next {}

        /** Nothing: this job's run is done. */
        record Done(RunFolder run) implements Next {}

        /** Nothing: the run that is there is another job's; why, and what helps. */
        record Refuse(String why) implements Next {}
    }

    /** What is to be done now. */
    public Next next() {
        Owner owner = owner().orElse(null);
        if (owner == null || !Files.isDirectory(folder.resolve(owner.run()))) {
            return new Next.Begin();
        }
        RunFolder run = RunFolder.at(folder.resolve(owner.run()));
        boolean isDone = RunRecord.summary(run).state() == RunStatus.DONE;
        if (isDone) {
            return owner.uid().equals(uid) ? new Next.Done(run) : new Next.Begin();
        } else if (owner.of() != null && !owner.of().equals(of)) {
            return new Next.Refuse(
                    ("%s belongs to %s, whose run %s is not done: give this job another volume or"
                                    + " another folder on it, or delete %s there if that job is to"
                                    + " train no more")
                            .formatted(folder, owner.of(), run.name(), FILE));
        }
        return new Next.GoOn(run);
    }

    /**
     * Why the run that is there is not to be gone on with: a job of this name that was deleted
     * began it with another job file. Empty if it may be.
     *
     * @param asked what this job asks for; who computes may differ
     */
    public Optional<String> changed(JobSpec asked) {
        Owner owner = owner().orElse(null);
        if (owner == null || owner.uid().equals(uid) || owner.job() == null) {
            return Optional.empty();
        }
        String changes = terms(sameElsewhere(owner.job(), asked)).changes(terms(asked));
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ("run %s in %s is not done and was begun with another job file (%s): go on"
                                        + " with it by that file, or train anew in another folder,"
                                        + " or delete %s there")
                                .formatted(owner.run(), folder, changes, FILE));
    }

    private static JobTerms terms(JobSpec job) {
        return ComparedJob.terms(job, "", List.of());
    }

    /** Who computes may differ, and where the run is kept besides, which has the job's uid. */
    private static JobSpec sameElsewhere(JobSpec began, JobSpec asked) {
        return began.with(asked.cluster())
                .with(began.train(), began.checkpoint().in(asked.checkpoint().store()));
    }

    /**
     * This job has that run from now on.
     *
     * @param asked with which it began, if it begins now
     */
    public void take(RunFolder run, JobSpec asked) {
        JobSpec began =
                owner().filter(owner -> owner.run().equals(run.name()))
                        .map(Owner::job)
                        .orElse(asked);
        try {
            Files.createDirectories(folder);
            AtomicFile.write(
                    folder.resolve(FILE), Json.bytes(new Owner(uid, run.name(), of, began)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<Owner> owner() {
        Path file = folder.resolve(FILE);
        try {
            return Files.exists(file)
                    ? Optional.of(Json.read(file, Owner.class))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
