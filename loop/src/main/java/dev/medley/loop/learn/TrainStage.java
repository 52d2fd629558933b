package dev.medley.loop.learn;

import dev.medley.base.time.Clock;
import dev.medley.loop.decide.RetrainPolicy;
import dev.medley.loop.rollout.Hold;
import dev.medley.loop.rollout.Trials;
import dev.medley.loop.rollout.VersionTrial;
import dev.medley.loop.spec.RetrainSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.record.folder.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Trains a new model where one is due, and registers it. A training that was cut off goes on from
 * its last checkpoint.
 */
public final class TrainStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "train";

    private final LoopPlace place;
    private final Trials trials;
    private final LoopModels models;
    private final RowMaker maker;
    private final ModelTraining training;
    private final RetrainSpec spec;
    private final References references;
    private final Clock clock;

    /**
     * By that training.
     *
     * @param references that are kept of new versions
     */
    public TrainStage(
            LoopPlace place,
            Trials trials,
            RowMaker maker,
            ModelTraining training,
            RetrainSpec spec,
            References references,
            Clock clock) {
        this.place = place;
        this.trials = trials;
        this.models = trials.holds().models();
        this.maker = maker;
        this.training = training;
        this.spec = spec;
        this.references = references;
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        LearntRows rows = context.result(RowsStage.NAME, LearntRows.class).orElseThrow();
        Path file = rows.train();
        if (file == null || rows.trainRows() == 0) {
            String why = rows.unsplit();
            return StageEnd.skipped(why.isEmpty() ? "there are no rows to learn from" : why);
        }
        RetrainPolicy.Decision decision = decided(context, rows);
        context.decide("retrain", decision.isDue() ? "yes" : "no", decision.why(), rows);
        if (!decision.isDue()) {
            return StageEnd.skipped("no new model: " + decision.why());
        }
        Path runs =
                Files.createDirectories(
                        place.training().resolve(Long.toString(context.run().number())));
        RunFolder run = training.trained(context, file, runs, spec.isWarm());
        Path seen = file.resolveSibling("trained-seen.parquet");
        maker.seen(context.asOfMs(), seen);
        String why =
                "run %d of loop %s: %s; rows sha256:%s of %s by %s"
                        .formatted(
                                context.run().number(),
                                models.name(),
                                decision.why(),
                                rows.sha256(),
                                String.join(", ", rows.sources()),
                                rows.features().isEmpty()
                                        ? "no features"
                                        : String.join(", ", rows.features()));
        int version = training.registered(context, run.model(), why);
        VersionFacts made =
                new VersionFacts(
                        version,
                        file,
                        rows.cutMs(),
                        seen,
                        rows.trainRows(),
                        rows.trainRows() + rows.newestRows(),
                        clock.wallMillis(),
                        rows.sha256(),
                        rows.features(),
                        rows.sources(),
                        null,
                        context.asOfMs(),
                        List.of());
        models.remember(context.state(), made);
        references.reference(made);
        return StageEnd.done(
                "version %d of %s on %,d rows: %s"
                        .formatted(version, models.name(), rows.trainRows(), decision.why()),
                new Trained(version, run.path().toString()));
    }

    private RetrainPolicy.Decision decided(StageContext context, LearntRows rows)
            throws IOException {
        Optional<VersionTrial> tried = trials.now(context);
        if (tried.isPresent()) {
            return new RetrainPolicy.Decision(
                    false, "version %d is tried".formatted(tried.get().version()));
        }
        Optional<Hold> hold = trials.holds().inForce(context);
        if (hold.isPresent() && rows.newestRows() < Hold.LEAST_ROWS) {
            return new RetrainPolicy.Decision(false, hold.get().words(rows.newestRows()));
        }
        return RetrainPolicy.decide(spec, facts(context, rows));
    }

    private RetrainPolicy.@Nullable Facts facts(StageContext context, LearntRows rows)
            throws IOException {
        if (models.production().isEmpty()) {
            return null;
        }
        Optional<VersionFacts> made = models.lastTrained(context.state());
        Optional<Watched> watched = context.result(WatchStage.NAME, Watched.class);
        return new RetrainPolicy.Facts(
                made.map(facts -> clock.wallMillis() - facts.trainedAtMs()).orElse(Long.MAX_VALUE),
                made.map(facts -> rows.trainRows() + rows.newestRows() - facts.labelledRows())
                        .orElse(rows.trainRows()),
                unfit(context, rows, watched),
                watched.map(Watched::drifted).orElse(List.of()),
                models.productionFacts(context.state()).map(VersionFacts::metric).orElse(null),
                watched.map(Watched::metric).orElse(null),
                references.metric().isMoreBetter());
    }

    /** Why the model in production cannot be used any more. */
    private String unfit(StageContext context, LearntRows rows, Optional<Watched> watched)
            throws IOException {
        Optional<VersionFacts> trained = models.lastTrained(context.state());
        if (trained
                .isPresent()) { // One that was trained of these and not taken is not trained again.
            String why = training.reads().unreadable(context, trained.get().version());
            if (!why.isEmpty()) {
                return why;
            }
        }
        Optional<VersionFacts> production = models.productionFacts(context.state());
        if (production.isEmpty() && models.lastTrained(context.state()).isEmpty()) {
            return "nobody knows what version %d learnt from"
                    .formatted(models.production().orElse(0));
        }
        boolean isTrainedOfThese =
                models.lastTrained(context.state())
                        .filter(last -> last.features().equals(rows.features()))
                        .isPresent();
        if (isTrainedOfThese) {
            return ""; // It was tried already, and was not taken.
        }
        if (production.isPresent() && !production.get().features().equals(rows.features())) {
            return "definitions have changed: %s, and now %s"
                    .formatted(
                            String.join(", ", production.get().features()),
                            String.join(", ", rows.features()));
        }
        return watched.map(Watched::unfit).orElse("");
    }
}
