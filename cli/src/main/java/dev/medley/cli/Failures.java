package dev.medley.cli;

import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import dev.medley.base.time.Clock;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells the user why a command did not succeed, and gives the exit code that goes with it. */
final class Failures {
    private final Terminal terminal;
    private final List<String> args;

    Failures(Terminal terminal, String... args) {
        this.terminal = terminal;
        this.args = List.of(args);
    }

    /** The user's input: the message alone. A bug: one line, and where the rest is. */
    int onExecution(Exception thrown) {
        terminal.endLive();
        if (thrown instanceof ConfigException) {
            terminal.say("" + thrown.getMessage());
            if (isVerbose()) {
                terminal.say(trace(thrown));
            }
            return ExitCode.INPUT;
        }
        if (thrown instanceof InvalidPathException path) {
            terminal.say(words(path));
            return ExitCode.INPUT;
        }
        String what =
                thrown.getMessage() == null ? thrown.getClass().getName() : thrown.getMessage();
        terminal.say("medley failed: " + what);
        terminal.say(isVerbose() ? trace(thrown) : "The details are in " + writeLog(thrown));
        return ExitCode.FAILED;
    }

    /**
     * A text that no file of this machine can have as its name, as in the locale C beyond ASCII.
     */
    private static String words(InvalidPathException e) {
        String encoding = System.getProperty("sun.jnu.encoding", "");
        return "'%s' cannot be the name of a file: %s. If it can, and this machine takes names for"
                        .formatted(e.getInput().replace('\0', '\uFFFD'), e.getReason())
                + " %s: set LC_ALL=C.UTF-8".formatted(encoding);
    }

    /** A wrong option or command: what is wrong, what was meant, where help is. */
    int onParameters(ParameterException thrown) {
        CommandLine command = thrown.getCommandLine();
        terminal.say("medley: " + words(thrown));
        UnmatchedArgumentException.printSuggestions(thrown, terminal.err());
        terminal.err().flush();
        terminal.say("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.INPUT;
    }

    private static String words(ParameterException thrown) {
        if (thrown instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()) {
            String what =
                    thrown.getCommandLine().getSubcommands().isEmpty()
                            ? "'%s' is one argument too many"
                            : "there is no command '%s'";
            return what.formatted(unmatched.getUnmatched().get(0));
        }
        return ("" + thrown.getMessage())
                .replaceFirst("^Error: ", "")
                .replaceFirst("is not an? (int|long)$", "is not a whole number")
                .replaceFirst("is not a double$", "is not a number")
                .replaceFirst(
                        "^positional parameter at index \\S+ \\((\\S+)\\) requires at least (\\d+)"
                                + " values, but only (\\d+) were specified: .*",
                        "needs at least $2 of $1, found $3");
    }

    private boolean isVerbose() {
        return args.contains("--verbose");
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString().stripTrailing();
    }

    private String writeLog(Throwable thrown) {
        try {
            Path log = Files.createTempFile("medley-failure-", ".log");
            String head =
                    "%s%nmedley %s%nat %d ms since 1970%n%n"
                            .formatted(
                                    Version.line(),
                                    String.join(" ", args),
                                    Clock.system().wallMillis());
            Files.writeString(log, head + trace(thrown) + System.lineSeparator());
            return log.toString();
        } catch (IOException e) {
            return "the output with --verbose (no log could be written: " + e.getMessage() + ")";
        }
    }
}
