package dev.medley.training.bucket;

import java.nio.DoubleBuffer;

/**
 * Holds each rank's report of its part of a round whose end does not wait for all. It is {@link
 * RankRows} beside those of the {@link Tail}. Only these rows decide which ranks are in a round, so
 * all decide alike.
 */
public final class RoundTable {
    private static final int FIELDS = 5;

    private static final int WEIGHTED_STEPS = 0;
    private static final int TAKEN = 1;
    private static final int LATE = 2;
    private static final int TAKEN_BEFORE = 3;
    private static final int OF_LATE_WORK = 4;

    private final RankRows rows;

    /**
     * One rank's row.
     *
     * @param weightedSteps weight of its samples in the sum times the inner steps over them
     * @param taken of the round's samples that are this rank's, so many from the first are in the
     *     sum
     * @param isLate whether it was in a batch when the round ended: of the samples behind {@code
     *     taken} only the next round tells how many it took
     * @param takenBefore those, of the round before, where it was late in that: its late work
     * @param ofLateWork samples of earlier rounds whose change is in the sum: all of its late work,
     *     or none
     */
    public record Row(
            double weightedSteps, long taken, boolean isLate, long takenBefore, long ofLateWork) {
        /** The row of a rank that is late, and of which nothing is in the sum. */
        public static Row late(long takenBefore) {
            return new Row(0, 0, true, takenBefore, 0);
        }
    }

    /** A table over {@link #bytes} of exchange memory. */
    public RoundTable(DoubleBuffer values, int ranks) {
        this.rows = new RankRows(values, ranks, FIELDS);
    }

    /** Bytes of exchange memory for so many ranks. */
    public static long bytes(int ranks) {
        return (long) ranks * FIELDS * Double.BYTES;
    }

    /** Writes a rank's row and clears the others. */
    public void write(int rank, Row row) {
        rows.write(
                rank,
                row.weightedSteps(),
                row.taken(),
                row.isLate() ? 1 : 0,
                row.takenBefore(),
                row.ofLateWork());
    }

    /** What a rank says; valid once the table is summed. */
    public Row row(int rank) {
        return new Row(
                rows.get(rank, WEIGHTED_STEPS),
                (long) rows.get(rank, TAKEN),
                rows.get(rank, LATE) != 0,
                (long) rows.get(rank, TAKEN_BEFORE),
                (long) rows.get(rank, OF_LATE_WORK));
    }

    /** Over all ranks: weight times steps. */
    public double weightedSteps() {
        return rows.sum(WEIGHTED_STEPS);
    }

    /** Samples whose change is in the sum. */
    public long samples() {
        return (long) (rows.sum(TAKEN) + rows.sum(OF_LATE_WORK));
    }
}
