package dev.medley.cli.command;

import dev.medley.api.Dataset;
import dev.medley.api.TrainedModel;
import dev.medley.cli.option.ModelAndDataOptions;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.cli.train.Figures;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** Evaluates a trained model on data. */
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
            TrainedModel.Evaluated found = model.evaluation(Dataset.of(data(model)));
            Map<String, Double> metrics = found.metrics();
            if (printedJson(asJson(found))) {
                metrics.keySet().forEach(metric -> sayWhyNone(metric, metrics));
            } else {
                for (String metric : metrics.keySet()) {
                    terminal.print("%-12s %s".formatted(metric, Figures.text(metric, metrics)));
                }
                if (found.confusion() != null) {
                    terminal.print("");
                    terminal.print(found.confusion().table().text().stripTrailing());
                }
            }
        }
        return ExitCode.DONE;
    }

    private void sayWhyNone(String metric, Map<String, Double> metrics) {
        Figures.why(metric, metrics)
                .ifPresent(why -> terminal.say(metric + " is not a number: " + why));
    }

    /** The figures as JSON has them, null for what is no number there; and the matrix. */
    private static Map<String, @Nullable Object> asJson(TrainedModel.Evaluated found) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        found.metrics().forEach((metric, value) -> json.put(metric, numberOrNull(value)));
        if (found.confusion() != null) {
            json.put("confusion", found.confusion());
        }
        return json;
    }

    private static @Nullable Double numberOrNull(Double value) {
        return Double.isFinite(value) ? value : null;
    }
}
