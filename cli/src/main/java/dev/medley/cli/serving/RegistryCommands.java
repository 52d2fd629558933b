package dev.medley.cli.serving;

import dev.medley.cli.terminal.Terminal;
import picocli.CommandLine;

/** Adds the commands of the registry to {@code medley models}. */
public final class RegistryCommands {
    private RegistryCommands() {}

    /** The same command with them. */
    public static CommandLine addTo(CommandLine models, Terminal terminal) {
        return models.addSubcommand(new RegisterCommand(terminal))
                .addSubcommand(new RegistryListCommand.Versions(terminal))
                .addSubcommand(new PromoteCommand.Promote(terminal))
                .addSubcommand(new PromoteCommand.Rollback(terminal))
                .addSubcommand(new TrafficCommand.Canary(terminal))
                .addSubcommand(new TrafficCommand.Shadow(terminal))
                .addSubcommand(new TrafficCommand.Split(terminal))
                .addSubcommand(new TrafficCommand.Settle(terminal))
                .addSubcommand(new TrafficShowCommand(terminal))
                .addSubcommand(new RegistryListCommand.History(terminal));
    }
}
