package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature;
import dev.medley.loop.decide.JudgedMetric;
import dev.medley.loop.decide.ModelComparison;
import dev.medley.loop.decide.PromotionPolicy;
import dev.medley.loop.rollout.Hold;
import dev.medley.loop.rollout.Holds;
import dev.medley.loop.rollout.Trials;
import dev.medley.loop.spec.PromotionSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.SchemaReads;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges a new model against the one in production, and puts it there if it may be. Both answer the
 * newest labelled rows, which neither has learnt from.
 */
public final class PromoteStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "promote";

    /** What the model in production says of the newest rows. */
    private static final String CHAMPION = "champion.parquet";

    private final LoopPlace place;
    private final Trials trials;
    private final Holds holds;
    private final LoopModels models;
    private final @Nullable String label;
    private final PromotionSpec spec;
    private final JudgedMetric metric;
    private final SchemaReads reads;

    /** As {@code spec} says. */
    public PromoteStage(
            LoopPlace place,
            Trials trials,
            @Nullable String label,
            PromotionSpec spec,
            JudgedMetric metric,
            SchemaReads reads) {
        this.place = place;
        this.trials = trials;
        this.holds = trials.holds();
        this.models = holds.models();
        this.label = label;
        this.spec = spec;
        this.metric = metric;
        this.reads = reads;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        Optional<Trained> trained = context.result(TrainStage.NAME, Trained.class);
        if (trained.isEmpty()) {
            return StageEnd.skipped("there is no new model");
        }
        int version = trained.get().version();
        Optional<StageEnd> before = decidedBefore(context, version);
        if (before.isPresent()) {
            return before.get();
        }
        LearntRows rows = context.result(RowsStage.NAME, LearntRows.class).orElseThrow();
        Optional<Integer> production = models.production().filter(v -> v != version);
        String unfit = unfit(context, production, rows);
        Optional<Integer> judged = production.filter(v -> unfit.isEmpty());
        ModelComparison comparison = compared(context, version, judged, rows);
        PromotionPolicy.Decision decision =
                held(
                        context,
                        comparison,
                        unfit.isEmpty()
                                ? decided(production, comparison)
                                : PromotionPolicy.insteadOf(spec, unfit));
        context.decide(
                "promote",
                word(decision.verdict(), judged.isPresent()),
                "version %d: %s".formatted(version, decision.why()),
                comparison == null ? Map.of("version", version) : comparison);
        boolean isPromoted = decision.verdict() == PromotionPolicy.Verdict.PROMOTE;
        if (isPromoted && trials.spec() != null && judged.isPresent()) {
            return StageEnd.done(
                    trials.begin(context, version, decision.why()) + ": " + decision.why(),
                    Map.of("version", version));
        }
        if (isPromoted) {
            models.promote(
                    version,
                    "run %d of the loop: %s".formatted(context.run().number(), decision.why()));
            if (holds.inForce(context).isPresent()) {
                holds.end(context);
            }
        }
        String what =
                switch (decision.verdict()) {
                    case PROMOTE -> "version %d answers from now on: ".formatted(version);
                    case KEEP -> "version %d is not taken: ".formatted(version);
                    case ASK ->
                            "version %d waits for medley models promote %s %d: "
                                    .formatted(version, models.name(), version);
                };
        return StageEnd.done(what + decision.why(), Map.of("version", version));
    }

    private String word(PromotionPolicy.Verdict verdict, boolean hasOther) {
        boolean isTried =
                verdict == PromotionPolicy.Verdict.PROMOTE && trials.spec() != null && hasOther;
        return isTried ? "try" : verdict.name().toLowerCase(Locale.ROOT);
    }

    /** Why the model in production cannot answer rows as they are now; empty where it can. */
    private String unfit(StageContext context, Optional<Integer> production, LearntRows rows)
            throws IOException {
        Path newest = rows.newest();
        String unreadable = production.isEmpty() ? "" : reads.unreadable(context, production.get());
        if (!unreadable.isEmpty()) {
            return unreadable;
        }
        if (production.isEmpty() || newest == null || rows.newestRows() == 0) {
            return "";
        }
        Path folder = place.run(context.run().number());
        try {
            AnsweredRows.write(models.model(production.get()), newest, folder.resolve(CHAMPION));
            return "";
        } catch (ConfigException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** The run was cut off behind the promotion: what was decided stands. */
    private Optional<StageEnd> decidedBefore(StageContext context, int version) {
        boolean isInProduction = models.production().filter(v -> v == version).isPresent();
        return context.state().decisions(Integer.MAX_VALUE).stream()
                .filter(d -> d.run() == context.run().number() && d.kind().equals(NAME))
                .filter(d -> isInProduction)
                .findFirst()
                .map(
                        d ->
                                StageEnd.done(
                                        "version %d answers from now on: %s"
                                                .formatted(version, d.why()),
                                        Map.of("version", version)));
    }

    /** What was taken back comes again by new evidence alone. */
    private PromotionPolicy.Decision held(
            StageContext context,
            @Nullable ModelComparison comparison,
            PromotionPolicy.Decision decision) {
        long rows = comparison == null ? 0 : comparison.rows();
        return holds.inForce(context)
                .filter(hold -> decision.verdict() == PromotionPolicy.Verdict.PROMOTE)
                .filter(hold -> rows < Hold.LEAST_ROWS)
                .map(
                        hold ->
                                new PromotionPolicy.Decision(
                                        PromotionPolicy.Verdict.KEEP, hold.words(rows)))
                .orElse(decision);
    }

    private PromotionPolicy.Decision decided(
            Optional<Integer> production, @Nullable ModelComparison comparison) {
        if (production.isEmpty()) {
            return PromotionPolicy.first(spec);
        }
        if (label == null) {
            return PromotionPolicy.withoutLabel(spec);
        }
        return comparison == null
                ? PromotionPolicy.withoutRows()
                : PromotionPolicy.decide(spec, comparison);
    }

    private @Nullable ModelComparison compared(
            StageContext context, int version, Optional<Integer> production, LearntRows rows)
            throws IOException {
        Path newest = rows.newest();
        if (label == null || newest == null || rows.newestRows() == 0) {
            return null;
        }
        Path folder = place.run(context.run().number());
        AnsweredRows.requireFit(metric, AnsweredRows.target(models.model(version)));
        Signature.Target target = AnsweredRows.target(models.model(version));
        AnsweredRows rowsRead = new AnsweredRows(place.scratch());
        double[] labels = rowsRead.labels(newest, label, metric, target);
        Path answered = folder.resolve("challenger.parquet");
        AnsweredRows.write(models.model(version), newest, answered);
        double[] challenger = rowsRead.answers(answered, target, labels);
        double figure = ModelComparison.figure(metric, labels, challenger);
        if (!Double.isNaN(figure)) {
            models.facts(context.state(), version)
                    .ifPresent(facts -> models.remember(context.state(), facts.reached(figure)));
        }
        if (production.isPresent()
                && !AnsweredRows.target(models.model(production.get()))
                        .labels()
                        .equals(target.labels())) {
            return null; // They do not tell the same classes apart.
        }
        double[] champion =
                production.isEmpty()
                        ? challenger
                        : champion(context, production.get(), newest, target, labels);
        return ModelComparison.of(
                metric, labels, champion, challenger, spec.confidence(), context.run().number());
    }

    /** Of rows that it has learnt since its training counts what was answered before. */
    private double[] champion(
            StageContext context,
            int version,
            Path newest,
            Signature.Target target,
            double[] labels)
            throws IOException {
        AnsweredRows rows = new AnsweredRows(place.scratch());
        Path answered = place.run(context.run().number()).resolve(CHAMPION);
        return rows.beforeLearnt(
                rows.answers(answered, target, labels),
                newest,
                models.facts(context.state(), version).map(VersionFacts::learnt).orElse(List.of()));
    }
}
