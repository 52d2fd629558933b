package dev.medley.cli.kubernetes;

import dev.medley.api.job.JobWorkers;
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
import dev.medley.record.folder.RunFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

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

    /**
     * To the run's end; the exit code.
     *
     * @param asked the job as the file has it; read only where something is left to do
     */
    int run(Supplier<JobSpec> asked) {
        OwnRun.Next next;
        try {
            next = own.next();
        } catch (ConfigException e) {
            return later(e);
        }
        RunOptions how =
                RunOptions.in(own.folder())
                        .saidAs("medley train --on kubernetes")
                        .offeredBy(RunOptions.Offers.PODS);
        if (next instanceof OwnRun.Next.Done done) {
            terminal.say(done.run().name() + " is done: nothing is left to do");
            return ExitCode.DONE;
        } else if (next instanceof OwnRun.Next.GoOn goOn) {
            Optional<String> changed = own.changed(asked.get());
            if (changed.isPresent()) {
                return refuse(changed.get());
            }
            terminal.say("goes on with " + goOn.run().name());
            return goOn(goOn.run().path(), asked, how);
        } else if (next instanceof OwnRun.Next.Refuse refused) {
            return refuse(refused.why());
        }
        return begin(asked.get(), how);
    }

    /** Where nothing is here, an earlier pod may have kept its run in the job's object store. */
    private int begin(JobSpec job, RunOptions how) {
        Optional<RunFolder> kept;
        try {
            kept = PodRunStore.bring(job, own);
        } catch (ConfigException e) {
            return later(e);
        }
        return kept.isEmpty() ? train(job, how) : run(() -> job);
    }

    /** It is said where the job ends, and is what the pod says last. */
    private int refuse(String why) {
        terminal.say(why);
        return ExitCode.INPUT;
    }

    private int goOn(Path run, Supplier<JobSpec> asked, RunOptions how) {
        try {
            JobSpec job = JobWorkers.joining(JobRun.jobOf(run), asked.get().cluster().join());
            return train(job, how.resuming(run));
        } catch (ConfigException e) {
            return later(e);
        }
    }

    /** The input was good once: what is wrong now may pass, as a volume that is not there yet. */
    private int later(ConfigException e) {
        terminal.say("the run cannot go on now and is tried again: " + e.getMessage());
        return ExitCode.UNEXPECTED;
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
                if (how.resume() == null) {
                    progress.ended("refused", String.valueOf(e.getMessage()));
                }
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
