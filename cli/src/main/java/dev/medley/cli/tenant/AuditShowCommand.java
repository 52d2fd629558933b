package dev.medley.cli.tenant;

import dev.medley.base.ConfigException;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.tenant.audit.AuditCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints entries of a log of requests. */
@Command(
        name = "show",
        header = "Print the last entries of a log of requests.",
        footer = {
            "",
            "Examples:",
            "  medley door audit show policies.audit.jsonl",
            "  medley door audit show policies.audit.jsonl --caller acme --last 100"
        })
final class AuditShowCommand extends Options implements Callable<Integer> {
    private static final int MOST = 1_000_000;

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Parameters(paramLabel = "FILE", description = "The log.")
    private Path file;

    @Option(names = "--caller", paramLabel = "NAME", description = "Of this caller alone.")
    private @Nullable String caller;

    @Option(
            names = "--last",
            paramLabel = "N",
            description = "So many entries (default: ${DEFAULT-VALUE}).")
    private int last = 50;

    private final Terminal terminal;

    AuditShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ConfigException.check(
                last >= 1 && last <= MOST, "--last %d: give 1 to %,d entries", last, MOST);
        Deque<String> lines = new ArrayDeque<>();
        AuditCheck check =
                AuditCheck.of(
                        file,
                        null,
                        entry -> {
                            if (caller == null || caller.equals(entry.ask().caller())) {
                                lines.add(entry.words());
                            }
                            if (lines.size() > last) {
                                lines.remove();
                            }
                        });
        lines.forEach(terminal::print);
        if (check.broken() != null) {
            terminal.say("%s is not what was written: %s".formatted(file, check.broken()));
            return AuditVerifyCommand.BROKEN;
        }
        return ExitCode.DONE;
    }
}
