package dev.medley.cli.fleet;

import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.hub.client.HubClient;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import sun.misc.Signal;

/** Shows a fleet and its jobs, and again every two seconds. */
@Command(
        name = "top",
        header = "Watch a fleet and its jobs.",
        footer = {"", "Examples:", "  medley top", "  medley top --once"})
public final class TopCommand extends Options implements Callable<Integer> {
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Mixin private HubOption hub = new HubOption();

    @Option(names = "--once", description = "Show it once.")
    private boolean isOnce;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public TopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        HubClient client = hub.client();
        boolean isLive = terminal.isLive() && !isOnce;
        CountDownLatch end = new CountDownLatch(isLive ? 1 : 0);
        Signal.handle(new Signal("INT"), s -> end.countDown());
        do {
            if (isLive) {
                terminal.out().print(CLEAR);
            }
            FleetCommand.lines(client.fleet()).forEach(terminal::print);
            terminal.print("");
            JobsCommand.lines(client.jobs(), false).forEach(terminal::print);
            terminal.out().flush();
        } while (!end.await(2, TimeUnit.SECONDS));
        return ExitCode.DONE;
    }
}
