package dev.medley.loop.rollout;

import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.StageContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what is held back from production.
 *
 * @param models of the loop
 * @param recipe by which the loop would make a version now
 */
public record Holds(LoopModels models, Recipe recipe) {
    private static final String FACT = "hold";

    /** What is remembered: null once it is over. */
    private record Kept(@Nullable Hold hold) {}

    /** What holds a version back that would be made now. */
    public Optional<Hold> inForce(StageContext context) {
        return kept(context).filter(hold -> recipe.equals(hold.recipe()));
    }

    /** What was held back last, whatever would be made now; empty once somebody promoted it. */
    Optional<Hold> kept(StageContext context) {
        return context.remembered(FACT, Kept.class)
                .map(Kept::hold)
                .filter(hold -> models.production().filter(v -> v == hold.version()).isEmpty());
    }

    /** Begins one in place of the one before. */
    void begin(StageContext context, Hold hold) {
        context.remember(FACT, new Kept(hold));
    }

    /** Ends what holds. */
    public void end(StageContext context) {
        context.remember(FACT, new Kept(null));
    }
}
