package dev.medley.loop.stage;

import dev.medley.base.time.Clock;
import java.time.Instant;

/**
 * Fixes the time whose knowledge the run works with: now, once all sources have been read. A run
 * that goes on after a cut keeps it.
 */
public final class KnownStage implements LoopStage {
    private final Clock clock;

    /** By that clock. */
    public KnownStage(Clock clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return Known.NAME;
    }

    @Override
    public StageEnd work(StageContext context) {
        long now = clock.wallMillis();
        return StageEnd.done("what was known at " + Instant.ofEpochMilli(now), new Known(now));
    }
}
