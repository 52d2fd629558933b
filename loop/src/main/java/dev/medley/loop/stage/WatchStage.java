package dev.medley.loop.stage;

import dev.medley.base.job.Signature;
import dev.medley.inference.model.Prediction;
import dev.medley.loop.decide.JudgedMetric;
import dev.medley.loop.decide.ModelComparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks how the model in production fares on the newest rows, before it is decided what to do. */
public final class WatchStage implements Stage {
    /** Its name. */
    public static final String NAME = "watch";

    private final LoopPlace place;
    private final LoopModels models;
    private final @Nullable String label;
    private final JudgedMetric metric;

    /** By that metric. */
    public WatchStage(
            LoopPlace place, LoopModels models, @Nullable String label, JudgedMetric metric) {
        this.place = place;
        this.models = models;
        this.label = label;
        this.metric = metric;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        Optional<Integer> production = models.production();
        Rows rows = context.result(RowsStage.NAME, Rows.class).orElseThrow();
        Path newest = rows.newest();
        if (production.isEmpty()) {
            return StageEnd.skipped("there is no model in production yet");
        }
        if (label == null || newest == null || rows.newestRows() == 0) {
            return StageEnd.done(
                    "no rows with labels that the model has not seen",
                    new Watched(List.of(), null));
        }
        Path model = models.model(production.get());
        Signature.Target target = Answers.target(model);
        Path answered = place.run(context.run().number()).resolve("watched.parquet");
        Answers.write(model, newest, answered);
        Answers answers = new Answers(place.scratch());
        double[] labels = answers.labels(newest, label, metric, Prediction.nameOf(target, 1));
        double figure =
                ModelComparison.figure(metric, labels, answers.answers(answered, metric, target));
        return StageEnd.done(
                "version %d: %s %.4f on the newest %,d rows"
                        .formatted(production.get(), metric.word(), figure, labels.length),
                new Watched(List.of(), Double.isNaN(figure) ? null : figure));
    }
}
