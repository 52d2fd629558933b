package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.data.table.engine.DuckDb;
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
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Trains what the run has promoted once more, on all labelled rows, those that judged it too, and
 * puts that into production. Nothing judges it: it is the recipe that was judged.
 */
public final class RefitStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "refit";

    private final LoopPlace place;
    private final ModelTraining training;
    private final References references;
    private final boolean isAsked;
    private final Clock clock;

    /** Where it is asked for. */
    public RefitStage(
            LoopPlace place,
            ModelTraining training,
            References references,
            boolean isAsked,
            Clock clock) {
        this.place = place;
        this.training = training;
        this.references = references;
        this.isAsked = isAsked;
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        LoopModels models = training.models();
        Optional<Trained> trained = context.result(TrainStage.NAME, Trained.class);
        if (!isAsked || trained.isEmpty()) {
            return StageEnd.skipped(isAsked ? "there is no new model" : "it is not asked for");
        }
        LearntRows rows = context.result(RowsStage.NAME, LearntRows.class).orElseThrow();
        Path train = rows.train();
        Path newest = rows.newest();
        int judged = trained.get().version();
        Optional<VersionFacts> made = models.facts(context.state(), judged);
        Path runs = place.training().resolve(context.run().number() + "-" + NAME);
        boolean isTaken =
                models.production().filter(v -> v == judged).isPresent() || Files.exists(runs);
        if (!isTaken || made.isEmpty()) {
            return StageEnd.skipped("version %d was not taken".formatted(judged));
        }
        if (train == null || newest == null || rows.newestRows() == 0) {
            return StageEnd.skipped("version %d learnt from all rows".formatted(judged));
        }
        Path all = train.resolveSibling("all.parquet");
        join(train, newest, all);
        RunFolder run = training.trained(context, all, Files.createDirectories(runs), false);
        String why =
                "version %d, trained once more on the newest %,d rows that judged it too"
                        .formatted(judged, rows.newestRows());
        int version = training.registered(context, run.model(), why);
        long count = rows.trainRows() + rows.newestRows();
        VersionFacts facts =
                new VersionFacts(
                        version,
                        all,
                        rows.endMs(),
                        made.get().seen(),
                        count,
                        count,
                        clock.wallMillis(),
                        RowMaker.sha256(all),
                        rows.features(),
                        rows.sources(),
                        made.get().metric(),
                        context.asOfMs(),
                        List.of());
        references.refitted(facts, made.get(), newest);
        models.remember(context.state(), facts);
        models.promote(version, "run %d of the loop: %s".formatted(context.run().number(), why));
        context.decide(
                NAME,
                "version " + version,
                why,
                Map.of("version", version, "judged", judged, "rows", count));
        return StageEnd.done(
                "version %d answers from now on: it is %s".formatted(version, why),
                new Trained(version, run.path().toString()));
    }

    private void join(Path train, Path newest, Path all) throws IOException {
        try (DuckDb db = DuckDb.forFiles(List.of(), place.scratch())) {
            RowMaker.write(
                    db,
                    "* FROM read_parquet([%s, %s])"
                            .formatted(DuckDb.path(train), DuckDb.path(newest)),
                    all);
        } catch (SQLException e) {
            throw new ConfigException("refit: " + DuckDb.message(e), e);
        }
    }
}
