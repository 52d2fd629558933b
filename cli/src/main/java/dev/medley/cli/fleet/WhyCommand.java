package dev.medley.cli.fleet;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.hub.service.JobReason;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says what a job waits for, or why it runs where it does. */
@Command(
        name = "why",
        header = "Say what a hub's job waits for, or why it runs where it does.",
        footer = {"", "Examples:", "  medley why 3"})
public final class WhyCommand extends Options implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Mixin private HubOption hub = new HubOption();
    @Mixin private JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "JOB", description = "The job's number.")
    private long job;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public WhyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        JobReason reason = hub.client().why(job);
        if (json.printed(terminal, reason)) {
            return ExitCode.DONE;
        }
        lines(reason).forEach(terminal::print);
        return ExitCode.DONE;
    }

    /**
     * What it waits for or why it runs, what it would take, what is expected, and what was decided.
     */
    static List<String> lines(JobReason reason) {
        List<String> lines = new ArrayList<>();
        String place =
                reason.queuePosition() > 0
                        ? " is number %d of the queue".formatted(reason.queuePosition())
                        : "";
        lines.add("job %d%s: %s".formatted(reason.id(), place, OneLine.of(reason.sentence())));
        reason.needs().forEach(need -> lines.add("it would take: " + OneLine.of(need)));
        reason.forecasts().forEach(forecast -> lines.add(OneLine.of(forecast)));
        for (JobReason.Said said : reason.decisions()) {
            String time = TIME.format(Instant.ofEpochMilli((long) (1e3 * said.epochS())));
            lines.add("  %s  %s".formatted(time, OneLine.of(said.sentence())));
        }
        return lines;
    }
}
