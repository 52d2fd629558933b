package dev.medley.cli;

import dev.medley.base.Version;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine;

/** Begins the process: runs one command. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its {@link ExitCode}. */
    public static void main(String[] args) {
        if (List.of(args).contains("--verbose") && System.getProperty(LogSettings.LEVEL) == null) {
            System.setProperty(LogSettings.LEVEL, "INFO");
        }
        System.exit(run(Terminal.system(), args));
    }

    /** Runs one command in this process; nothing is left behind but what it says. */
    public static int run(Terminal terminal, String... args) {
        if (List.of(args).equals(List.of("--version"))) {
            terminal.print(Version.line()); // Not worth loading the commands for.
            return ExitCode.DONE;
        }
        Failures failures = new Failures(terminal, args);
        CommandLine line = Commands.line(terminal, args);
        line.setExecutionExceptionHandler((thrown, at, parsed) -> failures.onExecution(thrown));
        line.setParameterExceptionHandler((thrown, given) -> failures.onParameters(thrown));
        return line.execute(args);
    }
}
