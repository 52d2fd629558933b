package dev.medley.cli.command;

import dev.medley.api.Dataset;
import dev.medley.api.TrainedModel;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.profile.Units;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

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
public final class EvaluateCommand extends ModelAndDataOptions implements Callable<Integer> {
    /** Prints to {@code terminal}. */
    public EvaluateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() {
        try (TrainedModel model = TrainedModel.load(model())) {
            Map<String, Double> metrics = model.evaluate(Dataset.of(data(model)));
            if (!printedJson(metrics)) {
                metrics.forEach(
                        (metric, value) ->
                                terminal.print("%-12s %s".formatted(metric, Units.metric(value))));
            }
        }
        return ExitCode.DONE;
    }
}
