package dev.medley.loop.continuous;

import dev.medley.loop.spec.ContinuousSpec;

/** Decides what a loop that stays does next: a run, a look for new rows, a publication, or wait. */
public final class StayPolicy {
    /** As few judged rows say nothing. */
    public static final int LEAST_ROWS = 30;

    /** What is to be done. */
    public enum Deed {
        /** A run of all stages. */
        RUN,
        /** A look for rows to learn. */
        LOOK,
        /** The running model becomes a version, and is judged. */
        PUBLISH,
        /** Nothing, for a while. */
        WAIT
    }

    /**
     * A decision.
     *
     * @param waitMs for how long nothing is due
     * @param why a sentence
     */
    public record Turn(Deed deed, long waitMs, String why) {}

    /**
     * Tells what is known.
     *
     * @param nowMs milliseconds since 1970, as all times
     * @param runDueMs when the next run is due
     * @param lookDueMs when the next look is due
     * @param publishedMs when the running model was published last, or began
     * @param rowsSince rows that it has seen since
     * @param judgedRows rows that judge it against the model in production
     * @param isTried whether servers try a version now
     */
    public record Facts(
            long nowMs,
            long runDueMs,
            long lookDueMs,
            long publishedMs,
            long rowsSince,
            long judgedRows,
            boolean isTried) {}

    private StayPolicy() {}

    /** What to do now. */
    public static Turn decide(ContinuousSpec spec, Facts facts) {
        if (facts.nowMs() >= facts.runDueMs()) {
            return new Turn(Deed.RUN, 0, "a run is due");
        }
        String publish = publication(spec, facts);
        if (!publish.isEmpty()) {
            return new Turn(Deed.PUBLISH, 0, publish);
        }
        if (facts.nowMs() >= facts.lookDueMs()) {
            return new Turn(Deed.LOOK, 0, "rows may have come");
        }
        long waitMs = Math.min(facts.runDueMs(), facts.lookDueMs()) - facts.nowMs();
        return new Turn(Deed.WAIT, waitMs, "nothing is due for %d ms".formatted(waitMs));
    }

    /** Why a publication is due; empty where none is. */
    private static String publication(ContinuousSpec spec, Facts facts) {
        if (facts.isTried() || facts.rowsSince() == 0 || facts.judgedRows() < LEAST_ROWS) {
            return "";
        }
        Long rows = spec.rows();
        if (rows != null && facts.rowsSince() >= rows) {
            return "%,d rows were learnt since the last version".formatted(facts.rowsSince());
        }
        return facts.nowMs() - facts.publishedMs() >= spec.publish().toMillis()
                ? "continuous.publish is over, and %,d rows were learnt"
                        .formatted(facts.rowsSince())
                : "";
    }
}
