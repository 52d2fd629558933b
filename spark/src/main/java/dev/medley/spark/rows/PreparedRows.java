package dev.medley.spark.rows;

import dev.medley.data.dataset.PreparedData;
import dev.medley.spark.cluster.HeldData;
import org.jspecify.annotations.Nullable;

/** Rows of a DataFrame that are prepared for a run, for as long as it lasts. */
public interface PreparedRows extends AutoCloseable {
    /** The set for the run. */
    PreparedData prepared();

    /** Who holds its rows; null where they are in files of the driver. */
    @Nullable HeldData rows();

    /** Rows of which a number is missing. */
    long missing();

    /** They are kept no longer. */
    @Override
    void close();
}
