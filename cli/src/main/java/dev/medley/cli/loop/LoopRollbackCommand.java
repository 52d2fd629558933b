package dev.medley.cli.loop;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.run.Loop;
import dev.medley.loop.state.LoopRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes the model in production back. */
@Command(
        name = "rollback",
        header = "Take the model in production back, and hold what it was made by.",
        description = {
            "Servers follow within seconds. The loop promotes nothing that is made by the same job"
                    + " and the same",
            "definitions again, unless it is surely not worse on 30 rows or more that nobody knew"
                    + " the label of",
            "then. medley loop release ends that, and so does medley models promote of the version."
        },
        footer = {
            "",
            "Examples:",
            "  medley loop rollback churn.yaml --why \"calls doubled\"",
            "  medley loop rollback churn.yaml --to 3"
        })
final class LoopRollbackCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @Option(
            names = "--to",
            paramLabel = "VERSION",
            description = "The version that answers again (default: the one before).")
    private @Nullable Integer version;

    @Option(
            names = "--why",
            paramLabel = "TEXT",
            defaultValue = "by hand",
            description = "For the history.")
    private String why = "";

    private final Terminal terminal;

    LoopRollbackCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Loop opened = loop.open()) {
            StageWords words = new StageWords(terminal, json);
            String by = System.getProperty("user.name", "unknown");
            LoopRun run = opened.rollbacks(words).rollback(version, by, why);
            json.printed(terminal, run);
            return ExitCode.DONE;
        }
    }
}
