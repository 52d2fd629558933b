package dev.medley.cli.fleet;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.JobWorkers;
import dev.medley.api.job.Settings;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.cli.train.Interrupts;
import dev.medley.cli.train.TrainView;
import dev.medley.control.watch.RunOutcome;
import dev.medley.hub.job.JobEntry;
import dev.medley.hub.job.JobFolder.Launch;
import dev.medley.hub.job.ReportedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Trains a hub's job: the process that a hub starts for each. */
@Command(name = "hub-job", hidden = true, header = "Train a hub's job; a hub starts it.")
public final class HubJobCommand extends Options implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "FOLDER", description = "The job's folder.")
    private Path folder = Path.of("");

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public HubJobCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        try (JobEntry entry = JobEntry.take(folder)) {
            try {
                return train(entry);
            } catch (ConfigException e) {
                String why = String.valueOf(e.getMessage());
                // Somebody took the port in between: the next attempt has another.
                boolean isPort = why.contains(entry.launch().address());
                entry.ended(isPort ? "BROKEN" : "REFUSED", why);
                throw e;
            } catch (RuntimeException e) {
                entry.ended("BROKEN", String.valueOf(e.getMessage()));
                throw e;
            }
        }
    }

    private int train(JobEntry entry) throws IOException {
        Launch launch = entry.launch();
        Settings joining =
                Settings.NONE
                        .with("cluster.listen", launch.address(), "the hub")
                        .with("cluster.expect", launch.expect(), "the hub");
        if (launch.credentials() != null) {
            joining = joining.with("cluster.credentials", launch.credentials(), "the hub");
        }
        JobSpec job =
                JobFile.parse(
                                entry.jobFile().getFileName().toString(),
                                Files.readString(entry.jobFile()),
                                Path.of(launch.jobFile()),
                                joining)
                        .spec();
        RunOptions how = RunOptions.in(entry.runs()).saidAs("medley hub-job " + folder);
        if (launch.resume() != null) {
            how = how.resuming(Path.of(launch.resume()));
            job = JobWorkers.joining(JobRun.jobOf(Path.of(launch.resume())), job.cluster().join());
        }
        try (Interrupts interrupts = Interrupts.listen(terminal)) {
            ReportedRun progress =
                    new ReportedRun(
                            entry.folder(),
                            launch.attempt(),
                            job,
                            new TrainView(terminal, job, interrupts, List.of()),
                            Clock.system());
            RunResult result = JobRun.train(job, how, progress);
            progress.finish();
            return ended(entry, result);
        } finally {
            terminal.endLive();
        }
    }

    private int ended(JobEntry entry, RunResult result) {
        String message = result.summary().message();
        RunOutcome.Kind kind = result.outcome().kind();
        switch (kind) {
            case COMPLETED -> entry.ended("DONE", message);
            case INTERRUPTED -> entry.ended("STOPPED", message);
            case FAILED -> {
                var failure = result.outcome().failure();
                boolean isOfInput = failure != null && failure.isOfInput();
                entry.ended(isOfInput ? "REFUSED" : "BROKEN", message);
            }
        }
        terminal.say(message);
        return kind == RunOutcome.Kind.FAILED ? ExitCode.FAILED : ExitCode.DONE;
    }
}
