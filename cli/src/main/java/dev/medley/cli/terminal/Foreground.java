package dev.medley.cli.terminal;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.util.List;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Runs another program in this one's place: it has the terminal, and what interrupts it. */
public final class Foreground {
    private Foreground() {}

    /**
     * Runs it to its end.
     *
     * @param line the program and its arguments
     * @return its exit code
     * @throws ConfigException if it cannot be started
     */
    public static int run(List<String> line) {
        try {
            Process program = new ProcessBuilder(line).inheritIO().start();
            // The terminal tells both: what ends the program ends this.
            Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
            return program.waitFor();
        } catch (IOException e) {
            throw new ConfigException(line.get(0) + " cannot be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while another program runs", e);
        }
    }
}
