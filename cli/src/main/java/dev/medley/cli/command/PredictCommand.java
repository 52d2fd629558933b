package dev.medley.cli.command;

import dev.medley.api.TrainedModel;
import dev.medley.api.predict.PredictionFile;
import dev.medley.api.predict.Predictor;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.profile.Units;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a trained model's predictions for data. */
@Command(
        name = "predict",
        header = "Write a trained model's predictions, one row for each sample, in file order.",
        description = {
            "",
            "The ending of OUT says what is written: .csv, .jsonl or .ndjson. The label may be",
            "missing. Several threads predict at the same time."
        },
        footer = {
            "",
            "Examples:",
            "  medley predict latest new-people.csv -o predictions.csv",
            "  medley predict runs/adult-20261121-101500/model people.parquet -o out.jsonl"
        })
public final class PredictCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RunsOption runs = new RunsOption();

    @Parameters(index = "0", paramLabel = "MODEL", description = ModelOfRun.DESCRIPTION)
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "DATA",
            description = "A file or folder like the model's.")
    private Path data = Path.of("");

    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "OUT",
            description = "The file to write.")
    private Path out = Path.of("");

    @Option(names = "--threads", paramLabel = "N", description = "Threads (default: one per core).")
    private int threads = Runtime.getRuntime().availableProcessors();

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public PredictCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Path folder = ModelOfRun.find(runs.folder(), name);
        long samples;
        try (TrainedModel model = TrainedModel.load(folder, 1);
                PredictionFile file =
                        PredictionFile.create(out, model.description().signature().target())) {
            samples =
                    new Predictor(model, Math.max(1, threads))
                            .predict(
                                    Predictor.like(model, data),
                                    (phase, done, total) ->
                                            terminal.live(phase + "  " + Units.count(done)),
                                    file::write);
            file.complete();
        }
        terminal.endLive();
        if (!json.printed(terminal, Map.of("file", out.toString(), "samples", samples))) {
            terminal.print("%s predictions in %s".formatted(Units.count(samples), out));
        }
        return ExitCode.DONE;
    }
}
