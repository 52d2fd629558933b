package dev.medley.cli.fault;

import dev.medley.base.time.Clock;
import dev.medley.cli.Main;
import dev.medley.cli.terminal.Screen;
import dev.medley.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command on a thread of the test's JVM: what it says, and its end. */
final class CommandThread {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(180);
    private static final Pattern JOIN =
            Pattern.compile("--join (?:127\\.0\\.0\\.1|localhost):(\\d+)");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private final Clock clock = Clock.system();

    private CommandThread() {}

    /** Starts {@code medley ARGS}. */
    static CommandThread start(String... args) {
        CommandThread command = new CommandThread();
        Thread thread = new Thread(() -> command.run(args), "command");
        thread.setDaemon(true);
        thread.start();
        return command;
    }

    private void run(String[] args) {
        try {
            PrintWriter results = new PrintWriter(out);
            Terminal terminal = new Terminal(results, new PrintWriter(err), Screen.NONE);
            end.complete(Main.run(terminal, args));
        } catch (RuntimeException | Error e) {
            end.completeExceptionally(e);
        }
    }

    /** Its results so far. */
    String out() {
        return out.toString();
    }

    /** All that it has said. */
    String said() {
        return out + "\n" + err;
    }

    /** Where agents can join it; waits until it listens. */
    InetSocketAddress listening() throws Exception {
        long deadlineNs = clock.nowNs() + PATIENCE_NS;
        Matcher join = JOIN.matcher(said());
        while (!join.find()) {
            if (hasEnded() || clock.nowNs() > deadlineNs) {
                throw new AssertionError("it never listens, and said: " + said());
            }
            join = JOIN.matcher(said());
        }
        return InetSocketAddress.createUnresolved("127.0.0.1", Integer.parseInt(join.group(1)));
    }

    private boolean hasEnded() throws Exception {
        try {
            end.get(1, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Waits for the end. */
    int exitCode() throws Exception {
        return end.get(PATIENCE_NS, TimeUnit.NANOSECONDS);
    }
}
