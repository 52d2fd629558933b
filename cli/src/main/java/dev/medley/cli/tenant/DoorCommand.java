package dev.medley.cli.tenant;

import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands about shared tables and who may read what of them. */
@Command(
        name = "door",
        header = "Give each tenant its own rows and columns of shared tables.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  medley door check policies.yaml",
            "  medley door serve policies.yaml",
            "  medley door read policies.yaml customers --as acme -o acme.parquet",
            "  medley door audit verify policies.audit.jsonl"
        })
public final class DoorCommand extends Options implements Runnable {
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Spec
    private CommandSpec spec;

    private DoorCommand() {}

    /** With its subcommands, which print to {@code terminal}. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new DoorCommand())
                .addSubcommand(new DoorServeCommand(terminal))
                .addSubcommand(new DoorCheckCommand(terminal))
                .addSubcommand(new DoorReadCommand(terminal))
                .addSubcommand(DoorAuditCommand.line(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say serve, check, read or audit");
    }
}
