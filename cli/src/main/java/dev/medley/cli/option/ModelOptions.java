package dev.medley.cli.option;

import dev.medley.cli.terminal.Terminal;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Holds the options of commands that use a trained model. */
public abstract class ModelOptions extends Options {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RunsOption runs = new RunsOption();

    @Parameters(
            index = "0",
            paramLabel = "MODEL",
            description = "A model folder, or a run: its folder, its name, or latest.")
    private String name = "";

    protected final Terminal terminal;

    /** Prints to {@code terminal}. */
    public ModelOptions(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The folder of the model that was named. */
    protected final Path model() {
        return ModelOfRun.find(runs.folder(), name);
    }

    /** Prints {@code value} as JSON if that was asked for; says whether it was. */
    protected final boolean printedJson(Object value) {
        return json.printed(terminal, value);
    }
}
