package dev.medley.cli.command;

import dev.medley.api.run.JobPlan;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says what a job would do, and why. */
@Command(
        name = "plan",
        header = "Say what a job would do, and why: workers, shares, strategy, memory, speed.",
        description = {
            "",
            "Prepares the data and tries the job for some seconds with all its workers; nothing"
                    + " but",
            "the prepared data is kept."
        },
        footer = {
            "",
            "Examples:",
            "  medley plan examples/quickstart.yaml",
            "  medley plan job.yaml --workers 4 -s train.batch=512 --json"
        })
public final class PlanCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private JobOptions job = new JobOptions();

    @Parameters(arity = "1", paramLabel = "JOB.yaml", description = "The job file.")
    private Path file = Path.of("");

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public PlanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        RunProgress preparing =
                new RunProgress() {
                    @Override
                    public void preparing(String phase, long done, long total) {
                        terminal.live(phase);
                    }
                };
        JobPlan plan = JobPlan.of(job.read(file), RunOptions.defaults(), preparing);
        terminal.endLive();
        if (!json.printed(terminal, plan)) {
            terminal.print(plan.sentences());
        }
        return ExitCode.DONE;
    }
}
