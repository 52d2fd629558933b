package dev.medley.cli.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option of commands that look at runs. */
final class RunsOption {
    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            defaultValue = "runs",
            description = "The folder of all runs (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("runs");

    Path folder() {
        return folder;
    }
}
