package dev.medley.loop.rollout;

import dev.medley.base.time.Clock;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.StageContext;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what is held back from production.
 *
 * @param models of the loop
 * @param recipe by which the loop would make a version now
 * @param rows tells what is known by now
 */
public record Holds(LoopModels models, Recipe recipe, KnownRows rows, Clock clock) {
    /** Tells until when rows are known, for what counts as new evidence. */
    public interface KnownRows {
        /** The time right behind the last row whose label was known at {@code asOfMs}. */
        long endMs(long asOfMs) throws IOException;
    }

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

    /** Holds back what a version was made by, in place of what was held before. */
    Hold begin(StageContext context, int version, String why) throws IOException {
        boolean isMade = models.facts(context.state(), version).isPresent();
        Hold hold =
                new Hold(
                        version,
                        Recipe.ofVersion(context, version).orElse(null),
                        clock.wallMillis(),
                        isMade ? rows.endMs(context.asOfMs()) : 0,
                        why);
        context.remember(FACT, new Kept(hold));
        return hold;
    }

    /** Ends what holds. */
    public void end(StageContext context) {
        context.remember(FACT, new Kept(null));
    }
}
