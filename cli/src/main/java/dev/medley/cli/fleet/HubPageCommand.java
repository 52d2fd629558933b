package dev.medley.cli.fleet;

import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints a link to a hub's page. */
@Command(
        name = "page",
        header = "Print a link to a hub's page, good once and for 15 minutes.",
        footer = {"", "Examples:", "  medley hub page"})
public final class HubPageCommand extends Options implements Callable<Integer> {
    @Mixin private HubOption hub = new HubOption();

    private final Terminal terminal;

    HubPageCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.print(hub.client().pageLink());
        return ExitCode.DONE;
    }
}
