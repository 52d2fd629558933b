package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.feature.AsOfJoin;
import dev.medley.loop.feature.FeatureTable;
import dev.medley.loop.spec.ScoreSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.SchemaReads;
import dev.medley.loop.stage.SourceViews;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.serving.online.OnlineFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lets the model in production answer for whom answers are wanted, with what is known now. */
public final class ScoreStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "score";

    private static final String ASKED = "_asked";
    private static final String JOINED = "_joined";
    private static final String AT = "_asked_at";

    private final LoopPlace place;
    private final SourceViews sources;
    private final List<FeatureTable> features;
    private final @Nullable ScoreSpec spec;
    private final LoopModels models;
    private final SchemaReads reads;

    /** As {@code spec} says; null where no answers are wanted. */
    public ScoreStage(
            LoopPlace place,
            SourceViews sources,
            List<FeatureTable> features,
            @Nullable ScoreSpec spec,
            LoopModels models,
            SchemaReads reads) {
        this.place = place;
        this.sources = sources;
        this.features = List.copyOf(features);
        this.spec = spec;
        this.models = models;
        this.reads = reads;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        Optional<Integer> production = models.production();
        if (spec == null) {
            return StageEnd.skipped("no answers are wanted: the loop has no score");
        }
        if (production.isEmpty()) {
            return StageEnd.skipped("there is no model in production");
        }
        Optional<VersionFacts> made = models.facts(context.state(), production.get());
        List<String> now = features.stream().map(FeatureTable::reference).toList();
        List<String> then = made.map(ScoreStage::features).orElse(now);
        if (!then.equals(now)) {
            return StageEnd.held(
                    ("version %d learnt from %s, and features are %s now: no answers are given "
                                    + "until a version that learnt from these is promoted")
                            .formatted(production.get(), then, now),
                    Map.of());
        }
        String unreadable = reads.unreadable(context, production.get());
        if (!unreadable.isEmpty()) {
            return StageEnd.held(
                    ("version %d cannot read the sources as they are: %s; no answers are given"
                                    + " until a version that learnt from them is promoted")
                            .formatted(production.get(), unreadable),
                    Map.of());
        }
        Path folder = Files.createDirectories(place.run(context.run().number()));
        Path asked = folder.resolve("asked.parquet");
        long rows = ask(spec, context.asOfMs(), asked);
        if (rows == 0) {
            return StageEnd.skipped("score.sql gives no rows");
        }
        Path scored = folder.resolve("scored.parquet");
        Path model = models.model(production.get());
        AnsweredRows.write(model, asked, scored);
        if (spec.key().size() == 1) {
            new OnlineWriter(place.scratch())
                    .write(asked, spec.key().get(0), context.asOfMs(), OnlineFiles.beside(model));
        }
        return StageEnd.done(
                "%,d rows by version %d".formatted(rows, production.get()),
                new Scored(scored, rows, production.get()));
    }

    private static List<String> features(VersionFacts facts) {
        return facts.features().stream().filter(name -> !name.startsWith("rows#")).toList();
    }

    private long ask(ScoreSpec spec, long asOfMs, Path file) throws IOException {
        String key = spec.key().stream().map(DuckDb::name).collect(Collectors.joining(", "));
        try (DuckDb db = DuckDb.forFiles(List.of(), place.scratch())) {
            sources.open(db, asOfMs);
            db.execute(
                    ("CREATE TEMP TABLE %s AS SELECT *, CAST(make_timestamp(%d) AS TIMESTAMPTZ) "
                                    + "AS %s FROM (%s)")
                            .formatted(ASKED, asOfMs * 1000, AT, spec.sql()));
            List<List<String>> twins =
                    db.rows(
                            "SELECT count(*), %s FROM %s GROUP BY %s HAVING count(*) > 1 ORDER BY ALL LIMIT 1"
                                    .formatted(key, ASKED, key));
            for (List<String> twin : twins) {
                throw new ConfigException(
                        "score: %s rows have one key, %s = %s: leave all but one out in score.sql"
                                .formatted(
                                        twin.get(0),
                                        String.join(", ", spec.key()),
                                        String.join(", ", twin.subList(1, twin.size()))));
            }
            new AsOfJoin(db.connection(), ASKED, AT).join(features, JOINED);
            db.execute(
                    "COPY (SELECT * EXCLUDE (%s) FROM %s ORDER BY %s) TO %s (FORMAT parquet)"
                            .formatted(AT, JOINED, key, DuckDb.text(file.toString())));
            return db.longs("SELECT count(*) FROM " + JOINED)[0];
        } catch (SQLException e) {
            throw new ConfigException("score.sql or a feature: " + DuckDb.message(e), e);
        }
    }
}
