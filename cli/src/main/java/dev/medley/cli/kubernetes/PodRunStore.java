package dev.medley.cli.kubernetes;

import dev.medley.api.stored.RunStore;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.kubernetes.run.JobAddress;
import dev.medley.kubernetes.run.OwnRun;
import dev.medley.record.folder.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds the run that an earlier coordinator of this job kept in its object store. Each job has a
 * folder of its own there, of its namespace, name and uid, so that one that is made anew under an
 * old name begins anew.
 */
final class PodRunStore {
    private static final int UID_LETTERS = 8;

    private PodRunStore() {}

    /** The job with its own folder in the store that it names; the same job where it names none. */
    static JobSpec own(JobSpec job, JobAddress address, String uid) {
        CheckpointSpec checkpoint = job.checkpoint();
        StoreUrl url = checkpoint.storeUrl();
        if (url == null) {
            return job;
        }
        String folder =
                "%s/%s/%s-%s"
                        .formatted(
                                url,
                                address.namespace(),
                                address.name(),
                                uid.substring(0, Math.min(UID_LETTERS, uid.length())));
        return job.with(job.train(), checkpoint.in(folder));
    }

    /**
     * Brings the run that is there into the folder of this job's runs; empty where there is none.
     */
    static Optional<RunFolder> bring(JobSpec job, OwnRun own) {
        StoreUrl url = job.checkpoint().storeUrl();
        if (url == null) {
            return Optional.empty();
        }
        RunStore store = new RunStore(url, System::getenv);
        Optional<RunFolder> run = store.newest().map(name -> here(store, name, own.folder()));
        run.ifPresent(brought -> own.take(brought, job));
        return run;
    }

    /** One that is here was fetched or begun by a coordinator that was killed before it took it. */
    private static RunFolder here(RunStore store, String name, Path runs) {
        Path folder = runs.resolve(name);
        return Files.isDirectory(folder)
                ? RunFolder.at(folder)
                : store.fetch(name, runs, come -> {});
    }
}
