package dev.medley.spark.rows;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a DataFrame whose rows are encoded.
 *
 * @param partition its number
 * @param train chunks of rows to learn from
 * @param validation chunks of rows to judge by
 * @param classCounts rows to learn from of each class
 * @param trainWeight what they count together
 * @param missing rows of which a number is missing
 * @param counts of pixels of the images to learn from; empty for other rows
 * @param trouble what is wrong with a row; null if nothing
 */
record EncodedPart(
        int partition,
        List<Chunk> train,
        List<Chunk> validation,
        List<Long> classCounts,
        double trainWeight,
        long missing,
        List<Long> counts,
        @Nullable String trouble)
        implements Serializable {
    /**
     * A chunk of some thousand encoded rows, which an executor keeps as one block.
     *
     * @param rows in it
     * @param check of its bytes (CRC-32C), so that rows that are computed anew are seen to be the
     *     same
     */
    record Chunk(int rows, int check) implements Serializable {}
}
