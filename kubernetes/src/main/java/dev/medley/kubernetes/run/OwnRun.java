package dev.medley.kubernetes.run;

import dev.medley.base.Json;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says whether a coordinator begins a run, goes on with one, or has nothing left to do. A folder of
 * runs belongs to the jobs of one name. The file {@code owner.json} in it says which of them began
 * the last run there.
 *
 * @param folder of the runs
 * @param uid of the job
 */
public record OwnRun(Path folder, String uid) {
    private static final String FILE = "owner.json";

    /** The job that began the last run, and that run's folder. */
    record Owner(String uid, String run) {}

    /** What is to be done. */
    public sealed interface Next {
        /** A new run. */
        record Begin() implements Next {}

        /** A run that is there, from its last checkpoint. */
        record GoOn(RunFolder run) implements Next {}

        /** Nothing: this job's run is done. */
        record Done(RunFolder run) implements Next {}
    }

    /** What is to be done now. */
    public Next next() {
        Optional<Owner> owner = owner();
        if (owner.isEmpty() || !Files.isDirectory(folder.resolve(owner.get().run()))) {
            return new Next.Begin();
        }
        RunFolder run = RunFolder.at(folder.resolve(owner.get().run()));
        boolean isDone = RunRecord.summary(run).state() == RunStatus.DONE;
        if (isDone) {
            return owner.get().uid().equals(uid) ? new Next.Done(run) : new Next.Begin();
        }
        return new Next.GoOn(run);
    }

    /** This job has that run from now on. */
    public void take(RunFolder run) {
        try {
            Files.createDirectories(folder);
            AtomicFile.write(folder.resolve(FILE), Json.bytes(new Owner(uid, run.name())));
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
