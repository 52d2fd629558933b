package dev.medley.cli;

import dev.medley.cli.terminal.Screen;
import dev.medley.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;

/** What a command said when it ran in this process. */
public record Said(int exitCode, String out, String err) {
    static {
        ClassArchive.giveToWorkers();
    }

    public static Said when(String... args) {
        return when(new StringWriter(), args);
    }

    /** The same; {@code err} sees what is said while the command runs. */
    public static Said when(StringWriter err, String... args) {
        return when(Screen.NONE, err, args);
    }

    /** The same on a screen. */
    public static Said when(Screen screen, StringWriter err, String... args) {
        StringWriter out = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), screen);
        int exitCode = Main.run(terminal, args);
        return new Said(exitCode, out.toString(), err.toString());
    }
}
