package dev.medley.cli.history;

import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands about runs. */
@Command(
        name = "runs",
        header = "List, compare and remove runs, and send them to MLflow.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  medley runs list",
            "  medley runs compare adult-20261121-101500 adult-20261121-102000",
            "  medley runs rm adult-20261121-101500",
            "  medley runs track latest"
        })
public final class RunsCommand extends Options implements Runnable {
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Spec
    private CommandSpec spec;

    private RunsCommand() {}

    /** With its subcommands, which print to {@code terminal}. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new RunsCommand())
                .addSubcommand(new RunsListCommand(terminal))
                .addSubcommand(new RunsCompareCommand(terminal))
                .addSubcommand(new RunsRemoveCommand(terminal))
                .addSubcommand(new RunsTrackCommand(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say list, compare, rm or track");
    }
}
