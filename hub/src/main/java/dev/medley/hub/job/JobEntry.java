package dev.medley.hub.job;

import dev.medley.base.ConfigException;
import dev.medley.hub.job.JobFolder.End;
import dev.medley.hub.job.JobFolder.Launch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Lets one process at a time train a job: the process's side of a job's folder. */
public final class JobEntry implements AutoCloseable {
    private final JobFolder folder;
    private final Launch launch;
    private final FileChannel channel;

    private JobEntry(JobFolder folder, Launch launch, FileChannel channel) {
        this.folder = folder;
        this.launch = launch;
        this.channel = channel;
    }

    /**
     * Takes the job of a folder, and says which process has it.
     *
     * @throws ConfigException if another process has it, or it holds no job
     */
    public static JobEntry take(Path path) {
        JobFolder folder = new JobFolder(path);
        Launch launch =
                folder.launch()
                        .orElseThrow(
                                () -> new ConfigException(path + ": no job of a hub lies there"));
        try {
            FileChannel channel =
                    FileChannel.open(
                            folder.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw new ConfigException(
                        "%s: another process trains job %d".formatted(path, launch.job()));
            }
            folder.write(JobProcesses.self(launch.attempt()));
            return new JobEntry(folder, launch, channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is to be done. */
    public Launch launch() {
        return launch;
    }

    /** Where it is done. */
    public JobFolder folder() {
        return folder;
    }

    /** The job's file as the hub keeps it. */
    public Path jobFile() {
        return folder.jobFile();
    }

    /** Where its runs lie. */
    public Path runs() {
        return folder.runs();
    }

    /** Says how it ended. */
    public void ended(String outcome, String sentence) {
        folder.write(new End(launch.attempt(), outcome, sentence));
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
