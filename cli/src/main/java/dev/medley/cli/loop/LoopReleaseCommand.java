package dev.medley.cli.loop;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.run.Loop;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ends what holds a recipe back since a rollback. */
@Command(
        name = "release",
        header = "Let the loop promote what it holds back since a rollback.",
        footer = {"", "Examples:", "  medley loop release churn.yaml --why \"it was the network\""})
final class LoopReleaseCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @Option(
            names = "--why",
            paramLabel = "TEXT",
            defaultValue = "by hand",
            description = "For the history.")
    private String why = "";

    private final Terminal terminal;

    LoopReleaseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Loop opened = loop.open()) {
            json.printed(terminal, opened.rollbacks(new StageWords(terminal, json)).release(why));
            return ExitCode.DONE;
        }
    }
}
