package dev.medley.loop.rollout;

import dev.medley.base.ConfigException;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;

/** Ends what holds a recipe back, as a person says. */
public final class ReleaseStage implements LoopStage {
    /** Its name, and that of its decision. */
    public static final String NAME = "release";

    private final Holds holds;
    private final String why;

    /** For that reason. */
    public ReleaseStage(Holds holds, String why) {
        this.holds = holds;
        this.why = why;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) {
        Hold hold =
                holds.kept(context)
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                "nothing is held back in loop %s"
                                                        .formatted(holds.models().name())));
        holds.end(context);
        String what =
                "what version %d was made by may be promoted again: %s"
                        .formatted(hold.version(), why);
        context.decide(NAME, "released", what, hold);
        return StageEnd.done(what, hold);
    }
}
