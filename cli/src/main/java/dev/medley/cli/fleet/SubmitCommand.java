package dev.medley.cli.fleet;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.hub.client.HubClient;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Hands a job to a hub. */
@Command(
        name = "submit",
        header = "Hand a job to a hub.",
        footer = {
            "",
            "Examples:",
            "  medley submit adult.yaml",
            "  medley submit adult.yaml --priority 5 --deadline 2h --budget 3.50",
            "  medley submit adult.yaml --min 2 --max 6 --hub 10.0.0.5:7070 --credentials certs/me"
        })
public final class SubmitCommand extends Options implements Callable<Integer> {
    @Mixin private HubOption hub = new HubOption();
    @Mixin private JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "JOB.yaml", description = "The job file.")
    private Path file = Path.of("");

    @Option(names = "--priority", paramLabel = "N", description = "Higher goes first (default: 0).")
    private int priority;

    @Option(
            names = "--deadline",
            paramLabel = "2h|TIME",
            description =
                    "By when it should be done: a duration, or a moment as 2026-12-01T08:00Z.")
    private @Nullable String deadline;

    @Option(
            names = "--budget",
            paramLabel = "AMOUNT",
            description = "What it may cost in all, in the currency of the machines' prices.")
    private @Nullable Double budget;

    @Option(names = "--min", paramLabel = "N", description = "Machines at least (default: 1).")
    private int min;

    @Option(names = "--max", paramLabel = "N", description = "Machines at most (default: 16).")
    private int max;

    @Option(names = "--group", paramLabel = "NAME", description = "For shares and quotas.")
    private String group = "";

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public SubmitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ConfigException.check(Files.isRegularFile(file), "%s: there is no such job file", file);
        Path folder = file.toAbsolutePath().normalize().getParent();
        HubClient client = hub.client();
        JobStatus job =
                client.submit(
                        new Submission(
                                file.getFileName().toString(),
                                Files.readString(file),
                                String.valueOf(folder),
                                "",
                                new SubmitTerms(
                                        group,
                                        priority,
                                        deadline == null ? null : deadlineS(deadline),
                                        budget),
                                min,
                                max));
        if (!json.printed(terminal, job)) {
            terminal.print(
                    "job %d (%s) is in the queue: medley why %d, medley logs -f %d"
                            .formatted(job.id(), job.submission().name(), job.id(), job.id()));
            if (deadline != null || budget != null) {
                client.why(job.id()).forecasts().forEach(terminal::print);
            }
        }
        return ExitCode.DONE;
    }

    /** The moment that a user means, in seconds of the epoch. */
    static double deadlineS(String word) {
        try {
            if (word.matches("[0-9.]+[smhd]")) {
                String iso =
                        word.endsWith("d")
                                ? "P" + word.toUpperCase(Locale.ROOT)
                                : "PT" + word.toUpperCase(Locale.ROOT);
                return (Clock.system().wallMillis() + Duration.parse(iso).toMillis()) / 1e3;
            }
            return java.time.OffsetDateTime.parse(word).toInstant().toEpochMilli() / 1e3;
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new ConfigException(
                    "--deadline %s: give a duration as 90m, 2h or 3d, or a moment as"
                                    .formatted(word)
                            + " 2026-12-01T08:00Z",
                    e);
        }
    }
}
