package dev.medley.cli.tenant;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.tenant.audit.AuditCheck;
import dev.medley.tenant.audit.AuditHead;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells whether a log of requests is what was written. */
@Command(
        name = "verify",
        header = "Find whether a log of requests is what was written.",
        description = {
            "",
            "Every line holds the hash of the one before: what was changed, removed, put elsewhere",
            "or added in between is found. Keep the head that is printed somewhere else: with",
            "--head it is found, too, that what is before it was written anew, or was cut off",
            "together with the file .head. All files of a log are read, FILE.000001 and so on",
            "before FILE itself; one that is missing or was cut is found. Whoever may write the log"
                    + " can add lines at its end.",
            "Exit codes: 0 all holds, 2 there is no such log, 3 it is not what was written."
        },
        footer = {
            "",
            "Examples:",
            "  medley door audit verify policies.audit.jsonl",
            "  medley door audit verify policies.audit.jsonl --head 1204:5f0c..."
        })
final class AuditVerifyCommand extends Options implements Callable<Integer> {
    static final int BROKEN = 3;

    @Mixin private JsonOption json = new JsonOption();

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Parameters(paramLabel = "FILE", description = "The log.")
    private Path file;

    @Option(
            names = "--head",
            paramLabel = "NUMBER:HASH",
            description = "What an earlier verify printed, and was kept elsewhere.")
    private @Nullable String head;

    private final Terminal terminal;

    AuditVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        AuditHead kept = head == null ? null : AuditHead.of(head);
        AuditCheck check = AuditCheck.of(file, kept, entry -> {});
        if (!json.printed(terminal, check)) {
            if (check.entries() > 0) {
                terminal.print(
                        "%,d entries in %,d files, %s to %s"
                                .formatted(
                                        check.entries(),
                                        check.files(),
                                        Instant.ofEpochMilli(check.firstMs()),
                                        Instant.ofEpochMilli(check.lastMs())));
                terminal.print(
                        "%,d requests began and never ended, %,d are under way or were cut off, %,d"
                                        .formatted(check.lost(), check.open(), check.torn())
                                + " torn lines are noted");
                if (check.removed() > 0) {
                    terminal.print(
                            "%,d entries before these were removed with their files, as noted"
                                    .formatted(check.removed()));
                }
                terminal.print("head " + check.head());
                if (check.behindKept() != null) {
                    terminal.print(
                            "%,d entries lie behind the head that was given"
                                    .formatted(check.behindKept()));
                }
            }
            terminal.print(
                    check.broken() == null
                            ? "the log is what was written"
                            : "%s is not what was written: %s".formatted(file, check.broken()));
        }
        return check.broken() == null ? ExitCode.DONE : BROKEN;
    }
}
