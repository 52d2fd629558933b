package dev.medley.cli.fleet;

import dev.medley.base.ConfigException;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.hub.http.HubTokens;
import dev.medley.hub.http.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a token for one more caller of a hub. */
@Command(
        name = "token",
        header = "Make a token for a user, a viewer, an agent or an administrator of a hub.",
        description = {
            "",
            "Prints it. The hub, which may run, takes it at once. To take one away, remove it from",
            "tokens.json in the hub's folder."
        },
        footer = {
            "",
            "Examples:",
            "  medley hub token ada > ada.token",
            "  medley hub token grafana --role viewer --folder /srv/hub"
        })
public final class HubTokenCommand extends Options implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "NAME", description = "Whose it is; jobs carry it.")
    private String name = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "user, viewer, agent or admin (default: ${DEFAULT-VALUE}).")
    private String role = "user";

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "The hub's folder (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("hub");

    private final Terminal terminal;

    HubTokenCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        ConfigException.check(
                Files.isRegularFile(folder.resolve(HubTokens.FILE)),
                "%s: no hub keeps its tokens there; give its --folder, or start it once",
                folder);
        terminal.print(HubTokens.open(folder).add(name, Role.parse(role)));
        return ExitCode.DONE;
    }
}
