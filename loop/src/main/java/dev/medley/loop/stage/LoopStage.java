package dev.medley.loop.stage;

import java.io.IOException;

/**
 * Does one part of a run. It may be cut off anywhere and is then done anew, so it leaves nothing
 * half, and what it did already it finds done.
 */
public interface LoopStage {
    /** What it is called in the history, as {@code sync customers}. */
    String name();

    /**
     * Does it.
     *
     * @throws dev.medley.base.ConfigException if a person has to change something
     * @throws IOException if it may go better next time
     */
    StageEnd work(StageContext context) throws IOException, InterruptedException;
}
