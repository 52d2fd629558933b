package dev.medley.cli.tenant;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.tenant.audit.AuditCheck;
import dev.medley.tenant.audit.AuditLog;
import dev.medley.tenant.audit.AuditRotation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes the oldest files of a log of requests, and records it in the log. */
@Command(
        name = "trim",
        header = "Remove the oldest full files of a log of requests, and record that.",
        description = {
            "",
            "A note of each file, with the number and hash of its last entry, is in the log before",
            "the file goes: 'verify' finds files that are missing without one. Files with entries",
            "of today stay, since quotas count them. The door must not be open."
        },
        footer = {"", "Example:", "  medley door audit trim policies.audit.jsonl --keep 10"})
final class AuditTrimCommand extends Options implements Callable<Integer> {
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Parameters(paramLabel = "FILE", description = "The log.")
    private Path file;

    @Option(
            names = "--keep",
            paramLabel = "N",
            required = true,
            description = "So many full files stay.")
    private int keep;

    private final Terminal terminal;

    AuditTrimCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ConfigException.check(keep >= 1, "--keep %d: keep 1 full file or more", keep);
        AuditCheck.of(file); // Says where there is none, in place of making one.
        try (AuditLog log = AuditLog.open(file, AuditRotation.USUAL, Clock.system(), entry -> {})) {
            int gone = log.removeOldest(keep);
            terminal.print("%d files are removed; head %s".formatted(gone, log.head()));
        }
        return ExitCode.DONE;
    }
}
