package dev.medley.hub.job;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.fleet.hub.ProcessEnd;
import dev.medley.fleet.hub.ProcessEnd.Outcome;
import dev.medley.fleet.state.FleetJob;
import dev.medley.hub.job.JobFolder.End;
import dev.medley.hub.job.JobFolder.Figures;
import dev.medley.hub.job.JobFolder.Launch;
import dev.medley.hub.job.JobFolder.Trainer;
import dev.medley.record.folder.RecorderOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts, finds and stops the processes of jobs. A process is known by its number and its start,
 * and takes a lock in its job's folder first: two never train one job, whoever started them.
 *
 * <p>Belongs to the hub's thread.
 */
public final class JobProcesses {

    private final Path jobs;
    private final List<String> command;
    private final @Nullable Path credentials;
    private final Clock clock;
    private final long leastFreeBytes;
    private final Map<Long, Process> children = new HashMap<>();
    private final Map<Long, Long> stopped = new HashMap<>();

    /**
     * @param jobs folder of all jobs
     * @param command that runs a job, to which its folder is added
     * @param credentials with which machines join over a network; null on loopback
     */
    public JobProcesses(Path jobs, List<String> command, @Nullable Path credentials, Clock clock) {
        // A run that finds less refuses its job; so none is begun that could.
        this(jobs, command, credentials, clock, 2 * RecorderOptions.defaults().leastFreeBytes());
    }

    /** The same with another bound of what has to be free on the disk. */
    JobProcesses(
            Path jobs,
            List<String> command,
            @Nullable Path credentials,
            Clock clock,
            long leastFreeBytes) {
        this.jobs = jobs;
        this.command = List.copyOf(command);
        this.credentials = credentials;
        this.clock = clock;
        this.leastFreeBytes = leastFreeBytes;
    }

    /** A job's folder. */
    public JobFolder folder(long job) {
        return JobFolder.make(jobs.resolve(Long.toString(job)));
    }

    /**
     * Starts the process of a job's attempt, unless it is there already.
     *
     * @return its number and when it started, in milliseconds of the epoch
     * @throws ConfigException if the disk is all but full: the job is not to blame for that
     */
    public long[] start(FleetJob job) {
        JobFolder folder = folder(job.id());
        Optional<ProcessHandle> there = alive(folder);
        if (there.isPresent()) {
            ProcessHandle process = there.get();
            return new long[] {process.pid(), startedMillis(process)};
        }
        try {
            requireRoom(folder);
            Files.writeString(folder.jobFile(), job.request().file());
            folder.write(
                    new Launch(
                            job.id(),
                            job.run().attempt(),
                            job.request().folder(),
                            job.run().address(),
                            1,
                            resumable(job),
                            credentials == null ? null : credentials.toString()));
            Files.createDirectories(folder.runs());
            List<String> line = new ArrayList<>(command);
            line.add(folder.path().toString());
            Process process =
                    new ProcessBuilder(line)
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.log().toFile()))
                            .start();
            children.put(job.id(), process);
            stopped.remove(job.id());
            return new long[] {process.pid(), startedMillis(process.toHandle())};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void requireRoom(JobFolder folder) throws IOException {
        long freeBytes = Files.getFileStore(folder.path()).getUsableSpace();
        ConfigException.check(
                freeBytes >= leastFreeBytes,
                "the disk of %s has %d MiB free, and a job is begun with %d MiB at least: make"
                        + " room",
                jobs,
                freeBytes >> 20,
                leastFreeBytes >> 20);
    }

    /** The run to go on with; null where nothing was kept. */
    private @Nullable String resumable(FleetJob job) {
        String run = job.run().folder();
        if (run.isEmpty()) {
            return null;
        }
        Path checkpoints = Path.of(run).resolve("checkpoints");
        try (var files = Files.list(checkpoints)) {
            return files.findAny().isPresent() ? run : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static long startedMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static Optional<ProcessHandle> alive(JobFolder folder) {
        return folder.trainer().flatMap(p -> alive(p.pid(), p.startedMillis()));
    }

    private static Optional<ProcessHandle> alive(long pid, long startedMillis) {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(p -> startedMillis == 0 || startedMillis(p) == startedMillis);
    }

    /** How a job's process ended; empty while it runs. */
    public Optional<ProcessEnd> ended(FleetJob job) {
        JobFolder folder = folder(job.id());
        Optional<End> end = folder.end().filter(e -> e.attempt() == job.run().attempt());
        boolean isAlive =
                alive(job.run().pid(), job.run().startedMillis()).isPresent()
                        || alive(folder).isPresent();
        if (isAlive) {
            return Optional.empty();
        }
        children.remove(job.id());
        return Optional.of(
                end.map(e -> new ProcessEnd(Outcome.valueOf(e.outcome()), e.sentence()))
                        .orElse(
                                new ProcessEnd(
                                        Outcome.BROKEN,
                                        "its process was killed; see " + folder.log())));
    }

    /** How far a job's attempt is; empty where it has not said so. */
    public Optional<Figures> figures(FleetJob job) {
        return folder(job.id()).figures().filter(f -> f.attempt() == job.run().attempt());
    }

    /**
     * Asks a job's process to keep a checkpoint and end; after two minutes again, which ends it at
     * once.
     */
    public void stop(FleetJob job) {
        long now = clock.nowNs();
        Long asked = stopped.get(job.id());
        if (asked == null || now - asked > 120e9) {
            alive(job.run().pid(), job.run().startedMillis()).ifPresent(ProcessHandle::destroy);
            stopped.put(job.id(), now);
        }
    }

    /** Says that this process runs a job, for as long as the lock is held. */
    static Trainer self(int attempt) {
        ProcessHandle self = ProcessHandle.current();
        return new Trainer(attempt, self.pid(), startedMillis(self));
    }
}
