package dev.medley.cli.command;

import dev.medley.api.TrainedModel;
import dev.medley.cli.option.ModelOptions;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.cli.train.Samples;
import dev.medley.inference.model.GenerateOptions;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lets a language model continue a text. */
@Command(
        name = "generate",
        header = "Let a trained language model go on with a text.",
        description = {"", "The same prompt, options and seed give the same text."},
        footer = {
            "",
            "Examples:",
            "  medley generate latest --prompt 'ROMEO:'",
            "  medley generate runs/quickstart-20261121-101500/model --prompt 'public ' --tokens"
                    + " 400",
            "  medley generate latest --prompt 'To be' --temperature 0    always the likeliest",
            "  medley generate latest --prompt 'To be' --top-p 0.9        nothing far-fetched"
        })
public final class GenerateCommand extends ModelOptions implements Callable<Integer> {
    @Option(
            names = "--prompt",
            required = true,
            paramLabel = "TEXT",
            description = "What the model goes on with.")
    private String prompt = "";

    @Option(
            names = "--tokens",
            paramLabel = "N",
            defaultValue = "200",
            description = "Tokens to add (default: ${DEFAULT-VALUE}).")
    private int tokens;

    @Option(
            names = "--temperature",
            paramLabel = "T",
            defaultValue = "0.8",
            description =
                    "0: always the likeliest; 1: as the model says (default: ${DEFAULT-VALUE}).")
    private double temperature;

    @Option(
            names = "--top-k",
            paramLabel = "K",
            defaultValue = "0",
            description = "Draw from the K likeliest tokens alone (default: from all).")
    private int topK;

    @Option(
            names = "--top-p",
            paramLabel = "P",
            defaultValue = "1",
            description =
                    "Draw from the fewest tokens that are likely together by P (default: from"
                            + " all).")
    private double topP;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the draws (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** Prints to {@code terminal}. */
    public GenerateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() {
        GenerateOptions how = new GenerateOptions(tokens, temperature, topK, topP, seed);
        try (TrainedModel model = TrainedModel.load(model())) {
            String text = model.generate(prompt, how);
            if (!printedJson(Map.of("prompt", prompt, "text", text))) {
                print(prompt + text);
            }
        }
        return ExitCode.DONE;
    }

    private void print(String text) {
        if (terminal.showsResults()) {
            Samples.visible(text).lines().forEach(terminal::print);
        } else {
            terminal.print(text);
        }
    }
}
