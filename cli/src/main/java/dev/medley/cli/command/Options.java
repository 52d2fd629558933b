package dev.medley.cli.command;

import picocli.CommandLine.Option;

/** Options of every command. */
final class Options {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean isHelpAsked;

    @Option(names = "--verbose", description = "Show stack traces of failures, and log more.")
    private boolean isVerbose;

    boolean isVerbose() {
        return isVerbose && !isHelpAsked;
    }
}
