package dev.medley.cli.fleet;

import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.hub.client.HubClient;
import dev.medley.hub.service.LogPart;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import sun.misc.Signal;

/** Prints what a job's run has printed. */
@Command(
        name = "logs",
        header = "Print what a hub's job has printed.",
        footer = {"", "Examples:", "  medley logs 3", "  medley logs -f 3"})
public final class LogsCommand extends Options implements Callable<Integer> {
    @Mixin private HubOption hub = new HubOption();

    @Parameters(index = "0", paramLabel = "JOB", description = "The job's number.")
    private long job;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the job is over, or Ctrl-C.")
    private boolean follows;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public LogsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        HubClient client = hub.client();
        CountDownLatch end = new CountDownLatch(1);
        if (follows) {
            Signal.handle(new Signal("INT"), s -> end.countDown());
        }
        long from = 0;
        while (true) {
            LogPart part = client.log(job, from);
            terminal.out().print(part.text());
            terminal.out().flush();
            boolean isMore = part.nextByte() > from;
            from = part.nextByte();
            if (!isMore && (part.ended() || !follows)
                    || !isMore && end.await(1, TimeUnit.SECONDS)) {
                return ExitCode.DONE;
            }
        }
    }
}
