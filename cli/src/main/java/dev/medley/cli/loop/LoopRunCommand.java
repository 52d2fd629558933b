package dev.medley.cli.loop;

import dev.medley.base.ConfigException;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.run.Loop;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a loop once, or stays and runs it again and again. */
@Command(
        name = "run",
        header = "Run a loop: sync, make rows, watch, train, judge, promote, answer, send.",
        description = {
            "A run that was cut off is taken up: what was done is not done again.",
            "Exit codes: 0 done, 1 failed, 2 something has to be changed, 3 held by a check."
        },
        footer = {
            "",
            "Examples:",
            "  medley loop run churn.yaml",
            "  medley loop run churn.yaml --stay"
        })
final class LoopRunCommand extends Options implements Callable<Integer> {
    private static final int HELD = 3;

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @Option(
            names = "--stay",
            description =
                    "Run it every so often, as every: in its file says, and learn between runs, as"
                            + " continuous: says, until Ctrl-C.")
    private boolean isStaying;

    private final Terminal terminal;

    LoopRunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (Loop opened = loop.open()) {
            if (!isStaying) {
                return once(opened, "by hand");
            }
            Duration every = opened.spec().every();
            if (every == null) {
                throw new ConfigException(
                        "%s: --stay needs every:, as every: 1h, beside its name"
                                .formatted(loop.file()));
            }
            if (opened.spec().continuous() != null) {
                return new LoopStay(terminal, json, opened).stay();
            }
            CountDownLatch never = new CountDownLatch(1);
            do {
                try {
                    once(opened, "schedule");
                } catch (ConfigException e) {
                    terminal.endLive();
                    terminal.say("failed: %s; the next run tries again".formatted(e.getMessage()));
                }
            } while (!never.await(every.toMillis(), TimeUnit.MILLISECONDS));
            return ExitCode.DONE;
        }
    }

    private int once(Loop opened, String cause) throws InterruptedException {
        try {
            LoopRun run = opened.run(cause, new StageWords(terminal, json));
            print(terminal, json, opened, run);
            return run.outcome() == StageOutcome.HELD ? HELD : ExitCode.DONE;
        } catch (IOException e) {
            terminal.endLive();
            terminal.say("failed: %s; the next run goes on".formatted(e.getMessage()));
            return ExitCode.FAILED;
        }
    }

    /** Says how a run ended. */
    static void print(Terminal terminal, JsonOption json, Loop opened, LoopRun run) {
        terminal.endLive();
        if (!json.printed(terminal, run)) {
            terminal.print(
                    "run %d is %s: %s"
                            .formatted(
                                    run.number(),
                                    run.outcome().name().toLowerCase(Locale.ROOT),
                                    run.why()));
            terminal.print("page   %s".formatted(opened.page()));
        }
    }
}
