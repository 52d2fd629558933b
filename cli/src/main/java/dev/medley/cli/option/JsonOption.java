package dev.medley.cli.option;

import dev.medley.base.Json;
import dev.medley.cli.terminal.Terminal;
import picocli.CommandLine.Option;

/** Holds the option of commands whose result a script may want to read. */
public final class JsonOption {
    @Option(names = "--json", description = "Print the result as JSON, for scripts.")
    private boolean isAsked;

    /** Whether the user asked for JSON. */
    public boolean isAsked() {
        return isAsked;
    }

    /** Prints {@code value} as JSON if that was asked for; says whether it was. */
    public boolean printed(Terminal terminal, Object value) {
        if (isAsked) {
            terminal.print(Json.pretty(value).stripTrailing());
        }
        return isAsked;
    }
}
