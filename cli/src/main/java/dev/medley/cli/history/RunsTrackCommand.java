package dev.medley.cli.history;

import dev.medley.api.run.JobRun;
import dev.medley.api.track.Tracking;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.track.TrackSpec;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.option.RunsOption;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunLock;
import dev.medley.record.folder.RunRecord;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends a run that has ended to an MLflow server. */
@Command(
        name = "track",
        header = "Send a run to an MLflow server: all of it, or what the server has not got yet.",
        description = {
            "",
            "A job with track.mlflow does so while it trains; this is for what could not be sent",
            "then, and for runs of jobs without it. What the server has is not sent again."
        },
        footer = {
            "",
            "Examples:",
            "  medley runs track latest",
            "  medley runs track adult-20261121-101500 --to http://localhost:5000 --experiment"
                    + " adult"
        })
public final class RunsTrackCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RunsOption runs = new RunsOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "RUN",
            description = "A run: its folder, its name, or latest (default: latest).")
    private String run = "latest";

    @Option(
            names = "--to",
            paramLabel = "URI",
            description = "The MLflow server (default: track.mlflow of the run's job).")
    private @Nullable String server;

    @Option(
            names = "--experiment",
            paramLabel = "NAME",
            description = {
                "The experiment (default: the one that has the run, that of the job, or the job's",
                "name). A run that another experiment has stays there, too."
            })
    private @Nullable String experiment;

    @Option(
            names = "--register",
            paramLabel = "NAME",
            description = "Make the model the next version of this registered model of MLflow.")
    private @Nullable String register;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    RunsTrackCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.find(runs.folder(), run);
        Tracking.Sent sent;
        try (RunLock unused = RunLock.take(folder)) {
            RunRecord.requireEnded(folder);
            JobSpec job = JobRun.jobOf(folder.path());
            TrackSpec asked = asked(folder, job.track());
            sent = Tracking.send(folder, job, asked, experiment, System::getenv);
            if (!json.printed(terminal, sent)) {
                terminal.print(
                        "%s is run %s of experiment %s at %s"
                                .formatted(
                                        folder.name(),
                                        sent.run(),
                                        sent.experiment(),
                                        asked.mlflowUri()));
                if (sent.version() != null) {
                    terminal.print(
                            "its model is version %s of %s"
                                    .formatted(sent.version(), asked.register()));
                }
            }
        }
        return ExitCode.DONE;
    }

    private TrackSpec asked(RunFolder folder, @Nullable TrackSpec known) {
        String mlflow = server != null ? server : known == null ? null : known.mlflow();
        if (mlflow == null) {
            throw new ConfigException(
                    "the job of %s names no MLflow server (track.mlflow): add --to http://HOST:5000"
                            .formatted(folder.name()));
        }
        return new TrackSpec(
                mlflow,
                experiment != null ? experiment : known == null ? null : known.experiment(),
                register != null ? register : known == null ? null : known.register(),
                false,
                null);
    }
}
