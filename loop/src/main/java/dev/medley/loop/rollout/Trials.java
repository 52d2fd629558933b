package dev.medley.loop.rollout;

import dev.medley.base.time.Clock;
import dev.medley.loop.spec.TrialSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.StageContext;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.TrafficDeeds;
import dev.medley.serving.registry.TrafficDeeds.Deed;
import dev.medley.serving.registry.TrafficPlan;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends trials of new versions, as plans of traffic that servers follow.
 *
 * @param spec how versions are tried; null where they are not
 */
public record Trials(Holds holds, @Nullable TrialSpec spec, Clock clock) {
    private static final String FACT = "trial";

    /** What is remembered: null once it is over. */
    private record Kept(@Nullable VersionTrial trial) {}

    /** What is tried by now. */
    public Optional<VersionTrial> now(StageContext context) {
        return spec == null
                ? Optional.empty()
                : context.remembered(FACT, Kept.class).map(Kept::trial);
    }

    /**
     * Has servers try a version beside the one in production.
     *
     * @return what they do, for people
     */
    public String begin(StageContext context, int version, String why) {
        TrialSpec asked = Objects.requireNonNull(spec);
        return asked.shadow() != null
                ? shadow(context, version, why)
                : canary(context, version, why);
    }

    private String shadow(StageContext context, int version, String why) {
        return began(context, version, why, deeds().shadow(deed(why), version).plan());
    }

    /** Has it answer a share of requests. */
    String canary(StageContext context, int version, String why) {
        TrialSpec.Canary asked = Objects.requireNonNull(Objects.requireNonNull(spec).canary());
        return began(
                context,
                version,
                why,
                deeds().canary(deed(why), version, asked.share(), asked.goals()).plan());
    }

    private String began(
            StageContext context, int version, String why, @Nullable TrafficPlan plan) {
        TrafficPlan begun = Objects.requireNonNull(plan);
        keep(
                context,
                new VersionTrial(version, begun.champion(), begun.form(), clock.wallMillis(), why));
        return begun.words();
    }

    /** Gives the version all requests. */
    void promote(StageContext context, int version, String why) {
        holds.models().promote(version, why);
        promoted(context);
    }

    /** It has all requests. */
    void promoted(StageContext context) {
        if (holds.inForce(context).isPresent()) {
            holds.end(context);
        }
        keep(context, null);
    }

    /** Takes its requests away. */
    void settle(String why) {
        deeds().settle(deed(why));
    }

    /** It is over. */
    void end(StageContext context) {
        keep(context, null);
    }

    private void keep(StageContext context, @Nullable VersionTrial trial) {
        context.remember(FACT, new Kept(trial));
    }

    /** The plan of traffic that servers follow. */
    Optional<TrafficPlan> plan() {
        return deeds().inForce(models().name(), Registry.PRODUCTION);
    }

    TrafficDeeds deeds() {
        return new TrafficDeeds(models().registry());
    }

    LoopModels models() {
        return holds.models();
    }

    private Deed deed(String why) {
        return new Deed(models().name(), Registry.PRODUCTION, LoopModels.BY, why);
    }
}
