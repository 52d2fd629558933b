package dev.medley.cli.loop;

import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands about loops. */
@Command(
        name = "loop",
        header = "Lead rows from their sources through training to answers in their places.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  medley loop run churn.yaml",
            "  medley loop run churn.yaml --stay",
            "  medley loop status churn.yaml",
            "  medley loop history churn.yaml",
            "  medley loop explain churn.yaml 12",
            "  medley loop backfill churn.yaml --run 12",
            "  medley loop rollback churn.yaml"
        })
public final class LoopCommand extends Options implements Runnable {
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Spec
    private CommandSpec spec;

    private LoopCommand() {}

    /** With its subcommands, which print to {@code terminal}. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new LoopCommand())
                .addSubcommand(new LoopRunCommand(terminal))
                .addSubcommand(new LoopStatusCommand(terminal))
                .addSubcommand(new LoopHistoryCommand(terminal))
                .addSubcommand(new LoopExplainCommand(terminal))
                .addSubcommand(new LoopBackfillCommand(terminal))
                .addSubcommand(new LoopReconcileCommand(terminal))
                .addSubcommand(new LoopRollbackCommand(terminal))
                .addSubcommand(new LoopReleaseCommand(terminal))
                .addSubcommand(new LoopLettersCommand(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Say run, status, history, explain, backfill, reconcile, rollback, release or"
                        + " letters");
    }
}
