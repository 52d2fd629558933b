package dev.medley.loop.learn;

import dev.medley.loop.rollout.Hold;
import dev.medley.loop.rollout.Holds;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import java.io.IOException;
import java.time.Instant;

/** Makes the rows of a run to learn from and to judge by. */
public final class RowsStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "rows";

    private final LoopPlace place;
    private final RowMaker maker;
    private final double newest;
    private final Holds holds;

    /**
     * By that maker.
     *
     * @param newest the part of labelled rows that is kept apart
     */
    public RowsStage(LoopPlace place, RowMaker maker, double newest, Holds holds) {
        this.place = place;
        this.maker = maker;
        this.newest = newest;
        this.holds = holds;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        long learntMs =
                holds.models()
                        .productionFacts(context.state())
                        .map(VersionFacts::trainedUntilMs)
                        .orElse(0L);
        // What was known when a model was taken back speaks for its like no more.
        long seenMs = Math.max(learntMs, holds.inForce(context).map(Hold::judgedFromMs).orElse(0L));
        LearntRows rows =
                maker.make(context.asOfMs(), place.run(context.run().number()), newest, seenMs);
        if (rows.train() == null) {
            return StageEnd.held(
                    "no row has a label yet: %,d wait for theirs%s"
                            .formatted(rows.waiting(), maker.waiting(rows)),
                    rows);
        }
        RowsThen.Compared changed =
                maker.changed(context.asOfMs(), place.run(context.run().number()));
        if (!changed.words().isEmpty()) {
            context.decide("rows", "warns", changed.words(), changed);
        }
        String warns = changed.words().isEmpty() ? "" : "; warns: " + changed.words();
        if (!rows.unsplit().isEmpty() && holds.models().production().isEmpty()) {
            return StageEnd.done(rows.unsplit() + warns, rows);
        }
        return StageEnd.done(
                "%,d rows to learn from, %,d from %s on to judge by, %,d wait for their label%s%s"
                        .formatted(
                                rows.trainRows(),
                                rows.newestRows(),
                                Instant.ofEpochMilli(rows.cutMs()),
                                rows.waiting(),
                                maker.waiting(rows),
                                warns),
                rows);
    }
}
