package dev.medley.training.bucket;

import java.nio.DoubleBuffer;

/**
 * A row of doubles for each rank, in exchange memory. Every rank writes its own row and leaves
 * zeros in the others, so that the sum is the concatenation, exactly. All ranks decide alike by the
 * rows if they read them in the order of ranks.
 *
 * @param values of all rows, one after the other
 * @param ranks how many rows
 * @param fields of a row
 */
record RankRows(DoubleBuffer values, int ranks, int fields) {
    /** Writes a rank's row and clears the others. */
    void write(int rank, double... row) {
        for (int i = 0; i < ranks * fields; i++) {
            values.put(i, 0);
        }
        for (int field = 0; field < fields; field++) {
            values.put(rank * fields + field, row[field]);
        }
    }

    /** What a rank wrote; valid once the rows are summed. */
    double get(int rank, int field) {
        return values.get(rank * fields + field);
    }

    /** Over all ranks, in their order. */
    double sum(int field) {
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += get(rank, field);
        }
        return sum;
    }
}
