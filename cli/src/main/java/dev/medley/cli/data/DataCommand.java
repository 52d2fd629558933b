package dev.medley.cli.data;

import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands about data. */
@Command(
        name = "data",
        header = "Fetch public data sets, and look into data of your own.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  medley data get                          the sets that are known",
            "  medley data get fashion-mnist",
            "  medley data describe adult.csv --label income"
        })
public final class DataCommand extends Options implements Runnable {
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Spec
    private CommandSpec spec;

    private DataCommand() {}

    /** With its subcommands, which print to {@code terminal}. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new DataCommand())
                .addSubcommand(new DataGetCommand(terminal))
                .addSubcommand(new DataDescribeCommand(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say get or describe");
    }
}
