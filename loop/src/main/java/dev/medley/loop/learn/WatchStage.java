package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.Signature;
import dev.medley.loop.decide.JudgedMetric;
import dev.medley.loop.decide.MeasuredFigure;
import dev.medley.loop.spec.DriftSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.loop.watch.ColumnReader;
import dev.medley.loop.watch.ColumnStanding;
import dev.medley.loop.watch.ExpectedFigure;
import dev.medley.loop.watch.ModelReference;
import dev.medley.loop.watch.ModelWatch;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks how the model in production fares before it is decided what to do: whether the rows that
 * arrive, and its answers for them, are still like those of its training, and how well it answers
 * the newest ones.
 */
public final class WatchStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "watch";

    private static final int COLUMNS_SAID = 3;

    private final LoopPlace place;
    private final RowMaker maker;
    private final References references;
    private final DriftSpec drift;

    /** Against these references. */
    public WatchStage(LoopPlace place, RowMaker maker, References references, DriftSpec drift) {
        this.place = place;
        this.maker = maker;
        this.references = references;
        this.drift = drift;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        LoopModels models = references.models();
        Optional<Integer> production = models.production();
        if (production.isEmpty()) {
            return StageEnd.skipped("there is no model in production yet");
        }
        int version = production.get();
        LearntRows rows = context.result(RowsStage.NAME, LearntRows.class).orElseThrow();
        MeasuredFigure measured = null;
        String unfit = "";
        try {
            measured = measured(context, version, rows);
        } catch (ConfigException e) {
            unfit = "it cannot answer rows as they are now: " + e.getMessage();
        }
        Optional<VersionFacts> made = models.facts(context.state(), version);
        Optional<ModelReference> reference =
                made.isEmpty() ? Optional.empty() : references.reference(made.get());
        Watched watched =
                reference.isEmpty()
                        ? new Watched(version, 0, 0, List.of(), null, null, measured, unfit)
                        : watched(context, made.get(), reference.get(), measured, unfit);
        String words =
                reference.isEmpty()
                        ? "nobody knows what it learnt from, so that no change is looked for"
                        : drift(watched);
        context.decide("drift", watched.drifted().isEmpty() ? "none" : "changed", words, watched);
        return StageEnd.done(
                "version %d: %s; %s".formatted(version, figures(watched), words), watched);
    }

    private String figures(Watched watched) {
        if (!watched.unfit().isEmpty()) {
            return watched.unfit();
        }
        String metric = references.metric().word();
        MeasuredFigure measured = watched.measured();
        ExpectedFigure expected = watched.expected();
        String is =
                measured == null
                        ? "no rows with labels that it has not seen"
                        : "%s %s on the newest %,d rows with labels"
                                .formatted(metric, measured.words(), measured.rows());
        return expected == null
                ? is
                : is
                        + String.format(
                                Locale.ROOT,
                                "; %.4f is to be expected of the newest %,d rows, %.4f when it was"
                                        + " trained",
                                expected.figure(),
                                expected.rows(),
                                expected.was());
    }

    private Watched watched(
            StageContext context,
            VersionFacts made,
            ModelReference reference,
            @Nullable MeasuredFigure measured,
            String unfit)
            throws IOException {
        Optional<Watching> before =
                context.remembered(Watching.FACT, Watching.class)
                        .filter(known -> known.version() == made.version());
        ModelWatch earlier =
                before.isPresent()
                        ? Json.read(before.get().state(), ModelWatch.class)
                        : ModelWatch.begun(reference, drift.alarms());
        ModelWatch now = earlier;
        if (before.isEmpty() || before.get().run() < context.run().number()) {
            now = advanced(context, made, earlier, before.map(Watching::seen).orElse(made.seen()));
        }
        return new Watched(
                made.version(),
                now.arrived(),
                now.rows(),
                now.standings(reference),
                now.ofAnswers(Watched.ANSWERS),
                now.expected(reference, references.metric()),
                measured,
                unfit);
    }

    /** The watch after the rows that came with this run. */
    private ModelWatch advanced(
            StageContext context, VersionFacts made, ModelWatch earlier, Path seenBefore)
            throws IOException {
        long run = context.run().number();
        Path window = place.run(run).resolve("arrived.parquet");
        Path seen = place.run(run).resolve("seen.parquet");
        Path state = place.run(run).resolve("watch.json");
        boolean isKnown = Files.exists(seenBefore); // A model of long ago: from now on, then.
        long rows = isKnown ? maker.arrived(context.asOfMs(), seenBefore, window) : 0;
        maker.seen(context.asOfMs(), seen);
        ModelWatch now = earlier.withoutRows();
        if (rows > 0) {
            try (ColumnReader reader = new ColumnReader(place.scratch())) {
                now =
                        earlier.after(
                                reader,
                                window,
                                rows,
                                references.answered(made.version(), window),
                                run);
            }
        }
        AtomicFile.write(state, Json.bytes(now));
        context.remember(Watching.FACT, new Watching(made.version(), run, seen, state));
        return now;
    }

    private static String drift(Watched watched) {
        List<ColumnStanding> all = watched.all();
        if (watched.since() == 0 || all.isEmpty()) {
            return "no rows have arrived since it was trained";
        }
        List<ColumnStanding> changed = all.stream().filter(c -> c.standing().isAlarm()).toList();
        if (changed.isEmpty()) {
            return "nothing of %s has surely changed".formatted(words(watched));
        }
        String said =
                changed.stream()
                        .limit(COLUMNS_SAID)
                        .map(ColumnStanding::words)
                        .collect(Collectors.joining("; "));
        return "%d of %s have changed: %s".formatted(changed.size(), words(watched), said);
    }

    private static String words(Watched watched) {
        int columns = watched.columns().size();
        return watched.answers() == null
                ? "%d columns".formatted(columns)
                : "%d (%d columns and the model's answers)".formatted(columns + 1, columns);
    }

    private @Nullable MeasuredFigure measured(StageContext context, int version, LearntRows rows)
            throws IOException {
        Path newest = rows.newest();
        String label = references.label();
        if (label == null || newest == null || rows.newestRows() == 0) {
            return null;
        }
        JudgedMetric metric = references.metric();
        Path model = references.models().model(version);
        Signature.Target target = AnsweredRows.target(model);
        AnsweredRows.requireFit(metric, target);
        Path answered = place.run(context.run().number()).resolve("watched.parquet");
        AnsweredRows.write(model, newest, answered);
        AnsweredRows answers = new AnsweredRows(place.scratch());
        double[] labels = answers.labels(newest, label, metric, target);
        return MeasuredFigure.of(
                metric,
                labels,
                answers.beforeLearnt(
                        answers.answers(answered, target, labels),
                        newest,
                        references
                                .models()
                                .facts(context.state(), version)
                                .map(VersionFacts::learnt)
                                .orElse(List.of())),
                references.confidence(),
                context.run().number());
    }
}
