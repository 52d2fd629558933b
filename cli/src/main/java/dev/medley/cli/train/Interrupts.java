package dev.medley.cli.train;

import dev.medley.api.run.RunProgress.Interruptible;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.io.File;
import org.jspecify.annotations.Nullable;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Handles Ctrl-C (or SIGTERM, or the end of its terminal) during a run: once, the run ends after
 * its step with a checkpoint; twice, at once. A third time, or before there is a run, this process
 * ends itself.
 *
 * <p>Thread: the JVM's signal thread calls; {@link #runIs} comes from the coordinating thread.
 */
public final class Interrupts implements AutoCloseable {
    /** Windows has no SIGHUP. */
    private static final String[] SIGNALS =
            File.separatorChar == '/'
                    ? new String[] {"INT", "TERM", "HUP"}
                    : new String[] {"INT", "TERM"};

    private final Terminal terminal;
    private final SignalHandler[] before = new SignalHandler[SIGNALS.length];
    private final Runnable end;
    private volatile @Nullable Interruptible run;
    private int count;
    private String firstWords =
            "Finishing the step and saving a checkpoint; Ctrl-C again to stop now.";

    Interrupts(Terminal terminal, Runnable end) {
        this.terminal = terminal;
        this.end = end;
    }

    /** Listens from now on. */
    public static Interrupts listen(Terminal terminal) {
        Interrupts interrupts =
                new Interrupts(terminal, () -> Runtime.getRuntime().halt(ExitCode.INTERRUPTED));
        for (int i = 0; i < SIGNALS.length; i++) {
            interrupts.before[i] =
                    Signal.handle(new Signal(SIGNALS[i]), signal -> interrupts.interrupted());
        }
        return interrupts;
    }

    /** What is said at the first interrupt. */
    public Interrupts saying(String words) {
        firstWords = words;
        return this;
    }

    /** What is interrupted from now on. */
    public void runIs(Interruptible interruptible) {
        run = interruptible;
    }

    synchronized void interrupted() {
        count++;
        Interruptible running = run;
        if (running == null || count > 2) {
            terminal.endLive();
            end.run();
        } else if (count == 1) {
            terminal.say(firstWords);
            running.interrupt();
        } else {
            terminal.say("Stopping now.");
            running.interrupt();
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < SIGNALS.length; i++) {
            Signal.handle(new Signal(SIGNALS[i]), before[i]);
        }
    }
}
