package dev.medley.control.failure;

import dev.medley.net.control.Message;
import dev.medley.record.entry.RunEvent;
import tools.jackson.databind.JsonNode;

/**
 * Keeps the step of the newest checkpoint that workers report. A checkpoint counts once it lies
 * where another worker finds it. Owned by the coordinator's agent.
 */
public final class NewestCheckpoint {
    private long step;

    /** A worker has something for the record, which may be a checkpoint. */
    public void heard(Message.Noted noted) {
        JsonNode event = noted.value();
        if (event.path("kind").asString("").equals(RunEvent.Kind.CHECKPOINT.name())) {
            step = Math.max(step, event.path("step").asLong(0));
        }
    }

    /** After which it is; 0 before there is one. */
    public long step() {
        return step;
    }
}
