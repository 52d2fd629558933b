package dev.medley.loop.continuous;

import dev.medley.loop.decide.ModelComparison;
import dev.medley.loop.decide.PromotionPolicy;
import dev.medley.loop.rollout.Hold;
import dev.medley.loop.rollout.Trials;
import dev.medley.loop.spec.PromotionSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges the running model against the one in production, and puts it there if it may be. What both
 * answered for rows counts, as it was before either had learnt them.
 */
public final class JudgeStage implements LoopStage {
    /** Its name, and that of its decision: the same as of a trained model. */
    public static final String NAME = "promote";

    private final ContinuousLearner learner;
    private final Trials trials;
    private final PromotionSpec spec;

    /** As {@code spec} says. */
    public JudgeStage(ContinuousLearner learner, Trials trials, PromotionSpec spec) {
        this.learner = learner;
        this.trials = trials;
        this.spec = spec;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        Optional<PublishStage.Published> published =
                context.result(PublishStage.NAME, PublishStage.Published.class);
        if (published.isEmpty()) {
            return StageEnd.skipped("nothing was published");
        }
        int version = published.get().version();
        Map<String, Integer> result = Map.of("version", version);
        LoopModels models = trials.holds().models();
        int production = models.production().orElse(0);
        if (production == version) {
            return StageEnd.done(
                    "version %d answers from now on".formatted(version), result); // Cut off behind.
        }
        if (production != published.get().champion()) {
            return StageEnd.done(
                    "version %d is not taken: version %d answers by now, which it was not judged against"
                            .formatted(version, production),
                    result);
        }
        Optional<Hold> hold = trials.holds().inForce(context);
        ModelComparison comparison = compared(context, hold);
        PromotionPolicy.Decision decision = decided(comparison, hold);
        reached(context, version, comparison);
        boolean isPromoted = decision.verdict() == PromotionPolicy.Verdict.PROMOTE;
        boolean isTried = isPromoted && trials.spec() != null;
        context.decide(
                NAME,
                isTried ? "try" : decision.verdict().name().toLowerCase(Locale.ROOT),
                "version %d: %s".formatted(version, decision.why()),
                comparison == null ? result : comparison);
        if (isTried) {
            return StageEnd.done(
                    trials.begin(context, version, decision.why()) + ": " + decision.why(), result);
        }
        if (isPromoted) {
            models.promote(version, "the running model: " + decision.why());
            hold.ifPresent(held -> trials.holds().end(context));
        }
        String what =
                switch (decision.verdict()) {
                    case PROMOTE -> "version %d answers from now on: ".formatted(version);
                    case KEEP -> "version %d is not taken: ".formatted(version);
                    case ASK ->
                            "version %d waits for medley models promote %s %d: "
                                    .formatted(version, models.name(), version);
                };
        return StageEnd.done(what + decision.why(), result);
    }

    private PromotionPolicy.Decision decided(
            @Nullable ModelComparison comparison, Optional<Hold> hold) {
        long rows = comparison == null ? 0 : comparison.rows();
        if (hold.isPresent() && rows < Hold.LEAST_ROWS) {
            return new PromotionPolicy.Decision(
                    PromotionPolicy.Verdict.KEEP, hold.get().words(rows));
        }
        return comparison == null
                ? PromotionPolicy.withoutRows()
                : PromotionPolicy.decide(spec, comparison);
    }

    /** What was known when a model was taken back speaks for its like no more. */
    private @Nullable ModelComparison compared(StageContext context, Optional<Hold> hold)
            throws IOException {
        learner.open(context); // Of another process, where it was cut off behind the publication.
        AnswerLog.Evidence evidence =
                learner.evidence(hold.map(Hold::judgedFromMs).orElse(Long.MIN_VALUE));
        return evidence.labels().length == 0
                ? null
                : ModelComparison.of(
                        learner.parts().metric(),
                        evidence.labels(),
                        evidence.champion(),
                        evidence.running(),
                        spec.confidence(),
                        context.run().number());
    }

    private void reached(StageContext context, int version, @Nullable ModelComparison comparison) {
        if (comparison == null || Double.isNaN(comparison.challenger())) {
            return;
        }
        LoopModels models = trials.holds().models();
        models.facts(context.state(), version)
                .ifPresent(
                        facts ->
                                models.rememberRunning(
                                        context.state(), facts.reached(comparison.challenger())));
    }
}
