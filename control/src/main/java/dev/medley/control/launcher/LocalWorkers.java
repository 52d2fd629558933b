package dev.medley.control.launcher;

import dev.medley.base.Json;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobStart;
import java.nio.file.Path;
import java.util.function.Function;

/** Makes what starts a run's workers on this machine. */
@FunctionalInterface
public interface LocalWorkers {
    /**
     * Processes, each a JVM with its own log.
     *
     * @param program what a worker of a job is
     */
    static LocalWorkers processes(Function<JobSpec, WorkerCommand> program) {
        return (job, start, place, logs) -> {
            WorkerCommand command = program.apply(job).with(JobStart.VARIABLE, start.text());
            boolean isHere = place.equals(WorkerSettings.HERE);
            return new LocalLauncher(
                    isHere ? command : command.with(WorkerSettings.VARIABLE, Json.line(place)),
                    logs);
        };
    }

    /**
     * The launcher of one run, to be closed at its end.
     *
     * @param job of the run as it is at {@code place}, with the threads of each worker
     * @param start what workers are started for
     * @param place where they run
     * @param logs folder of their logs, which exists
     */
    Launcher of(JobSpec job, JobStart start, WorkerSettings place, Path logs);
}
