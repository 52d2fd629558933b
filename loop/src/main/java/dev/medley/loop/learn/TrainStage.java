package dev.medley.loop.learn;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.loop.decide.RetrainPolicy;
import dev.medley.loop.rollout.Hold;
import dev.medley.loop.rollout.Holds;
import dev.medley.loop.spec.RetrainSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Trains a new model where one is due, and registers it. A training that was cut off goes on from
 * its last checkpoint.
 */
public final class TrainStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "train";

    private final LoopPlace place;
    private final Holds holds;
    private final LoopModels models;
    private final RowMaker maker;
    private final LearntJob job;
    private final RetrainSpec spec;
    private final References references;
    private final Clock clock;

    /**
     * For a loop's job.
     *
     * @param references that are kept of new versions
     */
    public TrainStage(
            LoopPlace place,
            Holds holds,
            RowMaker maker,
            LearntJob job,
            RetrainSpec spec,
            References references,
            Clock clock) {
        this.place = place;
        this.holds = holds;
        this.models = holds.models();
        this.maker = maker;
        this.job = job;
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
        RunFolder run = trained(context, file, runs);
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
        int version = models.registered(run.model(), why);
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
                        null);
        models.remember(context.state(), made);
        references.reference(made);
        holds.recipe().remember(context, version);
        return StageEnd.done(
                "version %d of %s on %,d rows: %s"
                        .formatted(version, models.name(), rows.trainRows(), decision.why()),
                new Trained(version, run.path().toString()));
    }

    private RetrainPolicy.Decision decided(StageContext context, LearntRows rows) {
        Optional<Hold> hold = holds.inForce(context);
        if (hold.isPresent() && rows.newestRows() < Hold.LEAST_ROWS) {
            return new RetrainPolicy.Decision(false, hold.get().words(rows.newestRows()));
        }
        return RetrainPolicy.decide(spec, facts(context, rows));
    }

    private RetrainPolicy.@Nullable Facts facts(StageContext context, LearntRows rows) {
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
    private String unfit(StageContext context, LearntRows rows, Optional<Watched> watched) {
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

    private RunFolder trained(StageContext context, Path rows, Path runs) throws IOException {
        Optional<RunFolder> earlier = earlier(runs);
        if (earlier.filter(run -> RunRecord.summary(run).state() == RunStatus.DONE).isPresent()) {
            return earlier.get();
        }
        RunOptions options = RunOptions.in(runs);
        if (earlier.isPresent()) {
            options = options.resuming(earlier.get().path());
        } else if (spec.isWarm() && models.production().isPresent()) {
            options = options.startingFrom(models.model(models.production().get()));
        }
        JobSpec spec = earlier.map(run -> JobRun.jobOf(run.path())).orElseGet(() -> job.on(rows));
        RunResult result = JobRun.train(spec, options, new Told(context));
        if (result.summary().state() != RunStatus.DONE) {
            throw new ConfigException(
                    "training ended as %s: see %s"
                            .formatted(result.summary().state(), result.folder().path()));
        }
        return result.folder();
    }

    /** A training of this very run that was cut off, or done. */
    private static Optional<RunFolder> earlier(Path runs) throws IOException {
        try (Stream<Path> there = Files.list(runs)) {
            return there.filter(Files::isDirectory)
                    .filter(run -> Files.exists(RunFolder.at(run).summary()))
                    .max(Comparator.naturalOrder())
                    .map(RunFolder::at);
        }
    }

    /** Says how far it is. */
    private static final class Told implements RunProgress {
        private final StageContext context;

        Told(StageContext context) {
            this.context = context;
        }

        @Override
        public void preparing(String phase, long done, long total) {
            context.progress().accept(phase);
        }

        @Override
        public void stepped(StepRecord step) {
            context.progress().accept("step %,d".formatted(step.step()));
        }
    }
}
