package dev.medley.loop.learn;

import java.nio.file.Path;
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
 * @param cutMs the first time of the newest rows, milliseconds since 1970
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
        long cutMs,
        String sha256,
        List<String> features,
        List<String> sources) {
    public LearntRows {
        features = List.copyOf(features);
        sources = List.copyOf(sources);
    }
}
