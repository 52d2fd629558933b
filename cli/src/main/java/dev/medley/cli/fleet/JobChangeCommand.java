package dev.medley.cli.fleet;

import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.hub.client.HubClient;
import dev.medley.hub.service.JobStatus;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Cancels, pauses or resumes jobs of a hub: three commands of one form. */
public abstract class JobChangeCommand extends Options implements Callable<Integer> {
    @Mixin private HubOption hub = new HubOption();

    @Parameters(arity = "1..*", paramLabel = "JOB", description = "The jobs' numbers.")
    private List<Long> jobs = List.of();

    private final Terminal terminal;

    JobChangeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    abstract JobStatus change(HubClient client, long job);

    @Override
    public Integer call() {
        HubClient client = hub.client();
        for (long job : jobs) {
            JobStatus now = change(client, job);
            terminal.print(
                    "job %d is %s".formatted(job, now.phase().name().toLowerCase(Locale.ROOT)));
        }
        return ExitCode.DONE;
    }

    /** Ends jobs. */
    @Command(
            name = "cancel",
            header = "End jobs of a hub, with a checkpoint.",
            footer = {"", "Examples:", "  medley cancel 3 4"})
    public static final class Cancel extends JobChangeCommand {
        /** Prints to {@code terminal}. */
        public Cancel(Terminal terminal) {
            super(terminal);
        }

        @Override
        JobStatus change(HubClient client, long job) {
            return client.cancel(job);
        }
    }

    /** Takes their machines from jobs. */
    @Command(
            name = "pause",
            header = "Take their machines from jobs of a hub, until they are resumed.",
            footer = {"", "Examples:", "  medley pause 3"})
    public static final class Pause extends JobChangeCommand {
        /** Prints to {@code terminal}. */
        public Pause(Terminal terminal) {
            super(terminal);
        }

        @Override
        JobStatus change(HubClient client, long job) {
            return client.pause(job);
        }
    }

    /** Lets paused jobs back into the queue. */
    @Command(
            name = "resume",
            header = "Let paused jobs of a hub back into its queue.",
            footer = {"", "Examples:", "  medley resume 3"})
    public static final class Resume extends JobChangeCommand {
        /** Prints to {@code terminal}. */
        public Resume(Terminal terminal) {
            super(terminal);
        }

        @Override
        JobStatus change(HubClient client, long job) {
            return client.resume(job);
        }
    }
}
