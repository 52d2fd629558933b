package dev.medley.loop.stage;

import dev.medley.base.Json;
import dev.medley.loop.state.StageOutcome;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Tells how a stage ended.
 *
 * @param why a sentence, with its figures
 * @param result what later stages need of it
 */
public record StageEnd(StageOutcome outcome, String why, JsonNode result) {
    /** It is done. */
    public static StageEnd done(String why, Object result) {
        return new StageEnd(StageOutcome.DONE, why, Json.tree(result));
    }

    /** There was nothing to do. */
    public static StageEnd skipped(String why) {
        return new StageEnd(StageOutcome.SKIPPED, why, Json.tree(Map.of()));
    }

    /** The run ends here, as was asked for. */
    public static StageEnd held(String why, Object result) {
        return new StageEnd(StageOutcome.HELD, why, Json.tree(result));
    }
}
