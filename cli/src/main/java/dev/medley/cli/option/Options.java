package dev.medley.cli.option;

import picocli.CommandLine.Option;

/** Holds the options of every command; {@code --verbose} is for whoever runs it. */
public abstract class Options {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean isHelpAsked;

    @Option(names = "--verbose", description = "Show stack traces of failures, and log more.")
    private boolean isVerbose;

    /** Whether help or more words than usual were asked for. */
    final boolean wantsMore() {
        return isVerbose || isHelpAsked;
    }
}
