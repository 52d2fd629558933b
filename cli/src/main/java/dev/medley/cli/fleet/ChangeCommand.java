package dev.medley.cli.fleet;

import dev.medley.base.ConfigException;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.TermsChange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives a job of a hub other terms. */
@Command(
        name = "change",
        header = "Change the priority, deadline, budget or machines of a hub's job.",
        footer = {
            "",
            "Examples:",
            "  medley change 3 --priority 10",
            "  medley change 3 --budget 5 && medley resume 3",
            "  medley change 3 --deadline 4h --max 8",
            "  medley change 3 --no-budget"
        })
public final class ChangeCommand extends Options implements Callable<Integer> {
    @Mixin private HubOption hub = new HubOption();
    @Mixin private JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "JOB", description = "The job's number.")
    private long job;

    @Option(names = "--priority", paramLabel = "N", description = "Higher goes first.")
    private @Nullable Integer priority;

    @Option(
            names = "--deadline",
            paramLabel = "2h|TIME",
            description = "By when it should be done: from now, or a moment as 2026-12-01T08:00Z.")
    private @Nullable String deadline;

    @Option(names = "--budget", paramLabel = "AMOUNT", description = "What it may cost in all.")
    private @Nullable Double budget;

    @Option(names = "--no-deadline", description = "It has no deadline any more.")
    private boolean isWithoutDeadline;

    @Option(names = "--no-budget", description = "It has no budget any more.")
    private boolean isWithoutBudget;

    @Option(names = "--min", paramLabel = "N", description = "Machines at least.")
    private @Nullable Integer min;

    @Option(names = "--max", paramLabel = "N", description = "Machines at most.")
    private @Nullable Integer max;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public ChangeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Double deadlineS = deadline == null ? null : SubmitCommand.deadlineS(deadline);
        List<String> lifted = new ArrayList<>();
        if (isWithoutDeadline) {
            lifted.add(TermsChange.DEADLINE);
        }
        if (isWithoutBudget) {
            lifted.add(TermsChange.BUDGET);
        }
        TermsChange change =
                new TermsChange(
                        priority, deadlineS, budget, min, max, lifted.isEmpty() ? null : lifted);
        ConfigException.check(
                !change.equals(TermsChange.NONE),
                "nothing to change was named: give --priority, --deadline, --budget, --no-deadline,"
                        + " --no-budget, --min or --max");
        JobStatus now = hub.client().change(job, change);
        if (!json.printed(terminal, now)) {
            terminal.print("job %d: %s".formatted(now.id(), now.why()));
        }
        return ExitCode.DONE;
    }
}
