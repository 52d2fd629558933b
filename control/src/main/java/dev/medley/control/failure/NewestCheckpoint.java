package dev.medley.control.failure;

import dev.medley.base.Json;
import dev.medley.net.control.Message;
import dev.medley.record.entry.RunEvent;

/**
 * Keeps the step of the newest checkpoint that workers report. A checkpoint counts once it lies
 * where another worker finds it. Owned by the coordinator's agent.
 */
public final class NewestCheckpoint {
    private long step;

    /**
     * A worker has something for the record; whether it is a checkpoint.
     *
     * @throws tools.jackson.core.JacksonException if it says so, and is none
     */
    public boolean heard(Message.Noted noted) {
        boolean isOne = isOne(noted);
        if (isOne) {
            step = Math.max(step, Json.bindWhole(noted.value(), RunEvent.class).step());
        }
        return isOne;
    }

    /** Whether a note tells of a checkpoint. */
    public static boolean isOne(Message.Noted noted) {
        return noted.kind().equals("event")
                && noted.value().path("kind").asString("").equals(RunEvent.Kind.CHECKPOINT.name());
    }

    /** After which it is; 0 before there is one. */
    public long step() {
        return step;
    }
}
