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
 * @param trouble what is wrong with a row; null if nothing
 */
record EncodedPart(
        int partition,
        List<Chunk> train,
        List<Chunk> validation,
        List<Long> classCounts,
        double trainWeight,
        long missing,
        @Nullable String trouble)
        implements Serializable {}
