package dev.medley.cli.tenant;

import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands about the log of requests. */
@Command(
        name = "audit",
        header = "Read the log of requests, find whether it was changed, remove old files.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  medley door audit verify policies.audit.jsonl",
            "  medley door audit show policies.audit.jsonl --last 20",
            "  medley door audit trim policies.audit.jsonl --keep 10"
        })
final class DoorAuditCommand extends Options implements Runnable {
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Spec
    private CommandSpec spec;

    private DoorAuditCommand() {}

    static CommandLine line(Terminal terminal) {
        return new CommandLine(new DoorAuditCommand())
                .addSubcommand(new AuditVerifyCommand(terminal))
                .addSubcommand(new AuditShowCommand(terminal))
                .addSubcommand(new AuditTrimCommand(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say verify, show or trim");
    }
}
