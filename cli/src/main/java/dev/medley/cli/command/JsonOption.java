package dev.medley.cli.command;

import dev.medley.base.Json;
import dev.medley.cli.terminal.Terminal;
import picocli.CommandLine.Option;

/** Holds the option of commands whose result a script may want to read. */
final class JsonOption {
    @Option(names = "--json", description = "Print the result as JSON, for scripts.")
    private boolean isAsked;

    boolean isAsked() {
        return isAsked;
    }

    /** Prints {@code value} as JSON if that was asked for; says whether it was. */
    boolean printed(Terminal terminal, Object value) {
        if (isAsked) {
            terminal.print(Json.pretty(value).stripTrailing());
        }
        return isAsked;
    }
}
