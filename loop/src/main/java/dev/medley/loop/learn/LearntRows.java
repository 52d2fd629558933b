package dev.medley.loop.learn;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells which rows a run learns from and is judged on.
 *
 * @param train the file of rows to learn from; null where there are none
 * @param newest the file of the newest rows, which judge; null where there are none
 * @param trainRows how many
 * @param newestRows how many
 * @param waiting how many rows have no label yet
 * @param overdue how many of these are older than it takes a label to come
 * @param cutMs the first time of the newest rows, milliseconds since 1970
 * @param endMs behind the time of the last row, milliseconds since 1970
 * @param sha256 of the file of rows to learn from
 * @param features the definitions that they were made by, as {@code usage@2}
 * @param sources versions of the snapshots, as {@code customers@7}
 */
public record LearntRows(
        @Nullable Path train,
        @Nullable Path newest,
        long trainRows,
        long newestRows,
        long waiting,
        long overdue,
        long cutMs,
        long endMs,
        String sha256,
        List<String> features,
        List<String> sources) {
    public LearntRows {
        features = List.copyOf(features);
        sources = List.copyOf(sources);
    }

    /** Why nothing can be learnt from them, though there are some; empty where it can. */
    String unsplit() {
        return trainRows > 0 || newestRows == 0
                ? ""
                : ("all %,d rows have one time, %s, and the newest part is kept to judge by, so"
                       + " that none is left to learn from: it begins once rows of another time"
                       + " come; or name a column with each row's own time in rows.at")
                        .formatted(newestRows, Instant.ofEpochMilli(cutMs));
    }
}
