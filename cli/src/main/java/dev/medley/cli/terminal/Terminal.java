package dev.medley.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/**
 * Writes what a command prints: results to {@link #out}, everything else to {@link #err}. A live
 * line is drawn over and over at the bottom of a terminal; without a terminal it is silent.
 *
 * <p>Thread: any; lines of different threads never mix.
 */
public final class Terminal {
    /** Of lines that go to a pipe or a file. */
    private static final int USUAL_COLUMNS = 100;

    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintWriter out;
    private final PrintWriter err;
    private final Screen screen;
    private String live = "";

    /** Writes to two streams, one of which may be shown on a screen. */
    public Terminal(PrintWriter out, PrintWriter err, Screen screen) {
        this.out = out;
        this.err = err;
        this.screen = screen;
    }

    /** This process's own streams. */
    public static Terminal system() {
        java.nio.charset.Charset utf8 = java.nio.charset.StandardCharsets.UTF_8;
        return new Terminal(
                new PrintWriter(System.out, true, utf8),
                new PrintWriter(System.err, true, utf8),
                Screen.detect());
    }

    /** Whether somebody watches: live lines are drawn. */
    public boolean isLive() {
        return screen.isLive();
    }

    /** Whether results go to a screen: not to a pipe or file, which takes them as they are. */
    public boolean showsResults() {
        return screen.showsResults();
    }

    /** How wide lines of results should be: as the screen, or usual where there is none. */
    public int columns() {
        return screen.showsResults() && screen.isLive() ? screen.columns() : USUAL_COLUMNS;
    }

    /** A line of the result. */
    public synchronized void print(String line) {
        hideLive();
        out.println(line);
        out.flush();
        showLive();
    }

    /** A line beside the result: what goes on, what went wrong. */
    public synchronized void say(String line) {
        hideLive();
        err.println(line);
        err.flush();
        showLive();
    }

    /** Draws the live line anew, cut to the screen's width. */
    public synchronized void live(String line) {
        if (screen.isLive()) {
            live =
                    line.length() < screen.columns()
                            ? line
                            : line.substring(0, screen.columns() - 1);
            err.print(CLEAR_LINE + live);
            err.flush();
        }
    }

    /** Takes the live line away. */
    public synchronized void endLive() {
        hideLive();
        err.flush();
        live = "";
    }

    /** Marked up for the eye where the screen has colours; {@code style} as picocli names them. */
    public String styled(String style, String text) {
        return ansi().string("@|" + style + " " + text.replace("|@", "| @") + "|@");
    }

    /** Whether help and messages have colours. */
    public Ansi ansi() {
        return screen.hasColours() ? Ansi.ON : Ansi.OFF;
    }

    /** The stream of results, for help texts and large outputs. */
    public PrintWriter out() {
        return out;
    }

    /** The stream beside the results. */
    public PrintWriter err() {
        return err;
    }

    /** Several lines of the result. */
    public void print(List<String> lines) {
        lines.forEach(this::print);
    }

    private void hideLive() {
        if (!live.isEmpty()) {
            err.print(CLEAR_LINE);
            err.flush();
        }
    }

    private void showLive() {
        if (!live.isEmpty()) {
            err.print(live);
            err.flush();
        }
    }
}
