package dev.medley.cli.kubernetes;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.cli.train.Interrupts;
import dev.medley.cli.train.TrainView;
import dev.medley.control.watch.RunOutcome;
import dev.medley.kubernetes.run.OwnRun;
import dev.medley.kubernetes.run.PodProgress;
import dev.medley.kubernetes.run.ProgressSink;
import java.util.List;
import java.util.Locale;

/** Coordinates a run in a pod: begins it, or goes on with it, and says how far it is. */
final class PodCoordinator {
    private final Terminal terminal;
    private final OwnRun own;
    private final List<ProgressSink> sinks;

    PodCoordinator(Terminal terminal, OwnRun own, List<ProgressSink> sinks) {
        this.terminal = terminal;
        this.own = own;
        this.sinks = sinks;
    }

    /** To the run's end; the exit code. */
    int run(JobSpec asked) {
        JobSpec job = asked;
        RunOptions how = RunOptions.in(own.folder()).saidAs("medley train --on kubernetes");
        OwnRun.Next next = own.next();
        if (next instanceof OwnRun.Next.Done done) {
            terminal.say(done.run().name() + " is done: nothing is left to do");
            return ExitCode.DONE;
        } else if (next instanceof OwnRun.Next.GoOn goOn) {
            terminal.say("goes on with " + goOn.run().name());
            how = how.resuming(goOn.run().path());
            job = JobRun.joining(JobRun.jobOf(goOn.run().path()), job.cluster().join());
        }
        return train(job, how);
    }

    private int train(JobSpec job, RunOptions how) {
        try (Interrupts interrupts = Interrupts.listen(terminal);
                PodProgress progress =
                        new PodProgress(
                                sinks,
                                own,
                                job,
                                new TrainView(terminal, job, interrupts, List.of()),
                                Clock.system())) {
            try {
                RunResult result = JobRun.train(job, how, progress);
                terminal.endLive();
                RunOutcome.Kind kind = result.outcome().kind();
                String message = result.summary().message();
                progress.ended(kind.name().toLowerCase(Locale.ROOT), message);
                terminal.say(message);
                return code(result);
            } catch (ConfigException e) {
                progress.ended("refused", String.valueOf(e.getMessage()));
                throw e;
            }
        } finally {
            terminal.endLive();
        }
    }

    private static int code(RunResult result) {
        var failure = result.outcome().failure();
        return switch (result.outcome().kind()) {
            case COMPLETED -> ExitCode.DONE;
            case INTERRUPTED -> ExitCode.INTERRUPTED;
            case FAILED ->
                    failure != null && failure.isOfInput() ? ExitCode.INPUT : ExitCode.FAILED;
        };
    }
}
