package dev.medley.loop.stage;

import dev.medley.base.time.Clock;
import java.io.IOException;
import java.time.Instant;

/**
 * Fixes the time whose knowledge the run works with: now, once all sources have been read. A run
 * that goes on after a cut keeps it.
 */
public final class KnownStage implements LoopStage {
    private final Clock clock;
    private final SourceViews sources;

    /** By that clock, and never before what the sources' snapshots have, if it was put back. */
    public KnownStage(Clock clock, SourceViews sources) {
        this.clock = clock;
        this.sources = sources;
    }

    @Override
    public String name() {
        return Known.NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        long now = Math.max(clock.wallMillis(), sources.newestMs());
        return StageEnd.done("what was known at " + Instant.ofEpochMilli(now), new Known(now));
    }
}
