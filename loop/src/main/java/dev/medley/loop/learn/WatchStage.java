package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature;
import dev.medley.loop.decide.JudgedMetric;
import dev.medley.loop.decide.ModelComparison;
import dev.medley.loop.spec.DriftSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks how the model in production fares before it is decided what to do: whether the rows that
 * arrive are still like those that it learnt from, and how well it answers the newest ones.
 */
public final class WatchStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "watch";

    private static final int COLUMNS_SAID = 3;

    private final LoopPlace place;
    private final LoopModels models;
    private final RowMaker maker;
    private final @Nullable String label;
    private final JudgedMetric metric;
    private final DriftSpec drift;

    /** By that metric. */
    public WatchStage(
            LoopPlace place,
            LoopModels models,
            RowMaker maker,
            @Nullable String label,
            JudgedMetric metric,
            DriftSpec drift) {
        this.place = place;
        this.models = models;
        this.maker = maker;
        this.label = label;
        this.metric = metric;
        this.drift = drift;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        Optional<Integer> production = models.production();
        if (production.isEmpty()) {
            return StageEnd.skipped("there is no model in production yet");
        }
        int version = production.get();
        List<ColumnStanding> columns = columns(context, version);
        LearntRows rows = context.result(RowsStage.NAME, LearntRows.class).orElseThrow();
        Double figure = null;
        String unfit = "";
        try {
            figure = figure(context, version, rows);
        } catch (ConfigException e) {
            unfit = "it cannot answer rows as they are now: " + e.getMessage();
        }
        Watched watched = new Watched(columns, figure, unfit);
        String words = drift(watched);
        context.decide("drift", watched.drifted().isEmpty() ? "none" : "changed", words, watched);
        return StageEnd.done(
                "version %d: %s; %s"
                        .formatted(
                                version,
                                !unfit.isEmpty()
                                        ? unfit
                                        : figure == null
                                                ? "no rows with labels that it has not seen"
                                                : "%s %.4f on the newest %,d rows"
                                                        .formatted(
                                                                metric.word(),
                                                                figure,
                                                                rows.newestRows()),
                                words),
                watched);
    }

    private List<ColumnStanding> columns(StageContext context, int version) throws IOException {
        Optional<VersionFacts> made = models.facts(context.state(), version);
        if (made.isEmpty()) {
            return List.of(); // It is not the loop's: nobody knows what it learnt from.
        }
        Arrived arrived =
                context.remembered(Arrived.FACT, Arrived.class)
                        .filter(before -> before.version() == version)
                        .orElse(new Arrived(version, 0, made.get().seen(), List.of()));
        if (arrived.run() < context.run().number()) {
            Path folder = place.run(context.run().number());
            Path window = folder.resolve("arrived.parquet");
            Path seen = folder.resolve("seen.parquet");
            maker.arrived(context.asOfMs(), arrived.seen(), window);
            maker.seen(context.asOfMs(), seen);
            arrived = arrived.after(context.run().number(), seen, window);
            context.remember(Arrived.FACT, arrived);
        }
        Set<String> leftOut = new HashSet<>(drift.leftOut());
        if (label != null) {
            leftOut.add(label);
        }
        return new DriftWatch(place.scratch(), leftOut, drift.alarms())
                .look(made.get().rows(), arrived.windows());
    }

    private static String drift(Watched watched) {
        List<ColumnStanding> columns = watched.columns();
        if (columns.isEmpty()) {
            return "no rows have arrived since it was trained";
        }
        List<ColumnStanding> changed =
                columns.stream().filter(column -> column.standing().isAlarm()).toList();
        if (changed.isEmpty()) {
            return "no column of %d has surely changed".formatted(columns.size());
        }
        String said =
                changed.stream()
                        .limit(COLUMNS_SAID)
                        .map(column -> column.column() + ": " + column.standing().why())
                        .collect(Collectors.joining("; "));
        return "%d of %d columns have changed: %s".formatted(changed.size(), columns.size(), said);
    }

    private @Nullable Double figure(StageContext context, int version, LearntRows rows)
            throws IOException {
        Path newest = rows.newest();
        if (label == null || newest == null || rows.newestRows() == 0) {
            return null;
        }
        Path model = models.model(version);
        Signature.Target target = AnsweredRows.target(model);
        AnsweredRows.requireFit(metric, target);
        Path answered = place.run(context.run().number()).resolve("watched.parquet");
        AnsweredRows.write(model, newest, answered);
        AnsweredRows answers = new AnsweredRows(place.scratch());
        double[] labels = answers.labels(newest, label, metric, target);
        double figure =
                ModelComparison.figure(metric, labels, answers.answers(answered, metric, target));
        return Double.isNaN(figure) ? null : figure;
    }
}
