package dev.medley.cli.fleet;

import dev.medley.base.text.Units;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.hub.service.JobStatus;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists a hub's jobs. */
@Command(
        name = "jobs",
        header = "List a hub's jobs.",
        footer = {"", "Examples:", "  medley jobs", "  medley jobs --all --json"})
public final class JobsCommand extends Options implements Callable<Integer> {
    private static final int RECENT = 20;

    @Mixin private HubOption hub = new HubOption();
    @Mixin private JsonOption json = new JsonOption();

    @Option(names = "--all", description = "Also those that were over long ago.")
    private boolean isAll;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public JobsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<JobStatus> jobs = hub.client().jobs();
        if (json.printed(terminal, jobs)) {
            return ExitCode.DONE;
        }
        lines(jobs, isAll).forEach(terminal::print);
        return ExitCode.DONE;
    }

    static List<String> lines(List<JobStatus> jobs, boolean isAll) {
        long over = jobs.stream().filter(job -> job.phase().isOver()).count();
        long skip = isAll ? 0 : Math.max(0, over - RECENT);
        List<String> lines = new java.util.ArrayList<>();
        lines.add(
                "%-5s %-20s %-10s %6s %10s %9s  %s"
                        .formatted("job", "name", "state", "done", "left", "cost", "why"));
        for (JobStatus job : jobs) {
            if (job.phase().isOver() && skip-- > 0) {
                continue;
            }
            Double left = job.figures().remainingS();
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-5d %-20s %-10s %5.0f %% %9s %9.2f  %s",
                            job.id(),
                            cut(OneLine.of(job.submission().name()), 20),
                            job.phase().name().toLowerCase(Locale.ROOT),
                            Math.floor(100 * job.figures().doneFraction()),
                            left == null ? "" : Units.duration(left * 1e9),
                            job.figures().cost(),
                            OneLine.of(on(job) + job.why())));
        }
        if (jobs.isEmpty()) {
            lines.add("no jobs yet: medley submit JOB.yaml");
        }
        return lines;
    }

    private static String on(JobStatus job) {
        return job.machines().isEmpty() ? "" : "on " + String.join(", ", job.machines()) + ": ";
    }

    private static String cut(String name, int most) {
        int characters = name.codePointCount(0, name.length());
        return characters <= most
                ? name
                : name.substring(0, name.offsetByCodePoints(0, most - 1)) + "…";
    }
}
