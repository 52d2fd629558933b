package dev.medley.cli.command;

import dev.medley.api.Dataset;
import dev.medley.api.TrainedModel;
import dev.medley.api.predict.Predictor;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.profile.Units;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Judges a trained model on data. */
@Command(
        name = "evaluate",
        header = "Compute a trained model's metrics on data that has the label.",
        description = {
            "",
            "The data is encoded exactly as in training: the fitted encoding is part of the model."
        },
        footer = {
            "",
            "Examples:",
            "  medley evaluate runs/adult-20261121-101500/model adult-test.csv",
            "  medley evaluate latest adult-test.csv --json"
        })
public final class EvaluateCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RunsOption runs = new RunsOption();

    @Parameters(index = "0", paramLabel = "MODEL", description = ModelOfRun.DESCRIPTION)
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "DATA",
            description = "A file or folder like the model's.")
    private Path data = Path.of("");

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public EvaluateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Path folder = ModelOfRun.find(runs.folder(), name);
        try (TrainedModel model = TrainedModel.load(folder)) {
            Map<String, Double> metrics =
                    new TreeMap<>(model.evaluate(Dataset.of(Predictor.like(model, data))));
            if (!json.printed(terminal, metrics)) {
                metrics.forEach(
                        (metric, value) ->
                                terminal.print("%-12s %s".formatted(metric, Units.metric(value))));
            }
        }
        return ExitCode.DONE;
    }
}
