package dev.medley.cli.command;

import dev.medley.api.TrainedModel;
import dev.medley.api.predict.PredictOptions;
import dev.medley.api.predict.Predictor;
import dev.medley.api.predict.Recommendations;
import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.text.Units;
import dev.medley.cli.option.ModelAndDataOptions;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.data.dataset.PredictionWriter;
import dev.medley.inference.model.Prediction;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a trained model's predictions for data. */
@Command(
        name = "predict",
        header = "Write a trained model's predictions beside the rows that they are for.",
        description = {
            "",
            "Each row of DATA, in its order, with two things more: the prediction, and the",
            "probability of each class. The ending of OUT says what is written: .csv, .parquet or",
            ".jsonl; it appears when it is whole. The label may be missing in DATA. Images have",
            "their file in place of columns. Of two classes the second is predicted from the",
            "model's own threshold on, where its job had one (train.threshold)."
        },
        footer = {
            "",
            "Examples:",
            "  medley predict latest new-people.csv -o predictions.csv",
            "  medley predict runs/adult-20261121-101500/model people.parquet -o out.parquet",
            "  medley predict latest pictures/ -o out.jsonl --workers 4",
            "  medley predict latest users.csv -o recommended.csv --top 10"
        })
public final class PredictCommand extends ModelAndDataOptions implements Callable<Integer> {
    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "OUT",
            description = "The file to write; another of that name is replaced.")
    private Path out = Path.of("");

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Processes that predict (default: ${DEFAULT-VALUE}, this one alone).")
    private int workers = 1;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads of each (default: a fair share of the cores).")
    private @Nullable Integer threads;

    @Option(
            names = "--engine",
            paramLabel = "WORD",
            description = {
                "libtorch (as in training; XGBoost for trees) or onnx (default: for many rows the",
                "faster one, by a trial)."
            })
    private @Nullable String engine;

    /** Prints to {@code terminal}. */
    public PredictCommand(Terminal terminal) {
        super(terminal);
    }

    @Option(
            names = "--top",
            paramLabel = "N",
            description = {
                "Write the N best items for each row's user instead, without those that",
                "the user has in training; of model factorization with user and item."
            })
    private @Nullable Integer top;

    @Override
    public Integer call() {
        PredictionWriter.requireFormat(out);
        if (top != null) {
            return recommend(top);
        }
        PredictOptions fair = PredictOptions.ofWorkers(workers).by(engine);
        PredictOptions how = threads == null ? fair : new PredictOptions(workers, threads, engine);
        String computed;
        long samples;
        DecisionThreshold threshold;
        String positive;
        int ahead;
        try (TrainedModel model = TrainedModel.load(model(), 1)) {
            threshold = model.description().threshold();
            Target target = model.description().signature().target();
            positive = Prediction.nameOf(target, 1);
            DataSpec rows = data(model);
            SeriesSpec series = rows.series();
            ahead = series != null && target.kind() == TargetKind.VALUES ? series.horizon() : 0;
            Predictor predictor = new Predictor(model, how);
            samples =
                    predictor.write(
                            rows,
                            out,
                            (phase, done, total) ->
                                    terminal.live(phase + "  " + Units.count(done)));
            computed = predictor.engine();
        }
        terminal.endLive();
        Map<String, Object> done = new LinkedHashMap<>();
        done.put("file", out.toString());
        done.put("samples", samples);
        done.put("engine", computed);
        if (threshold != null) {
            done.put("threshold", threshold);
        }
        if (!printedJson(done)) {
            terminal.print("%s in %s".formatted(what(samples, ahead), out));
            if (!computed.isEmpty() && (engine != null || computed.contains(";"))) {
                terminal.print(computed);
            }
            if (threshold != null) {
                terminal.print("%s from a %s".formatted(positive, threshold.sentence()));
            }
        }
        return ExitCode.DONE;
    }

    /** Of a series' end a forecast has several rows. */
    private static String what(long samples, int rowsAhead) {
        if (rowsAhead == 0) {
            return Units.count(samples) + " predictions";
        }
        return samples == 1
                ? "a forecast of %d rows".formatted(rowsAhead)
                : "%s forecasts of %d rows each".formatted(Units.count(samples), rowsAhead);
    }

    private int recommend(int items) {
        Recommendations.Written written;
        try (TrainedModel model = TrainedModel.load(model(), 1)) {
            written =
                    new Recommendations(model, items)
                            .write(
                                    data(model),
                                    out,
                                    (phase, done, total) ->
                                            terminal.live(phase + "  " + Units.count(done)));
        }
        terminal.endLive();
        Map<String, Object> done = new LinkedHashMap<>();
        done.put("file", out.toString());
        done.put("rows", written.rows());
        done.put("unseen", written.unseen());
        if (!printedJson(done)) {
            terminal.print(
                    "%d items at most for each of %s rows in %s"
                            .formatted(written.items(), Units.count(written.rows()), out));
            if (written.unseen() > 0) {
                terminal.print(
                        ("%s rows have a user that training has not seen: they have the items that"
                                        + " are best for all")
                                .formatted(Units.count(written.unseen())));
            }
        }
        return ExitCode.DONE;
    }
}
