package dev.medley.cli.option;

import static dev.medley.base.ConfigException.check;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Holds the option of commands that read runs: the folder of all runs. */
public final class RunsOption {
    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            defaultValue = "runs",
            description = "The folder of all runs (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("runs");

    /** The folder, which need not be there yet; a ConfigException if a file is in its place. */
    public Path folder() {
        check(
                !Files.exists(folder) || Files.isDirectory(folder),
                "--run-dir %s: is no folder, and runs need one: name another",
                folder);
        return folder;
    }
}
