package dev.medley.connect.back;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Hears from a destination what became of the rows that it was given. */
public interface RowOutcomes {
    /** The destination has this row. */
    void written(BackRow row) throws IOException;

    /** The destination does not take this row as it is. */
    void failed(BackRow row, RowFailure failure) throws IOException;

    /** What was said so far is to outlive this process; returns when it does. */
    void settle() throws IOException;

    /**
     * The rows of this sending are on their way in a form that outlives this process. Returns when
     * {@code note} does, too: after a cut it comes back in {@link Destination#recover} with the
     * rows. Null: nothing is on its way any more.
     */
    void underWay(@Nullable JsonNode note) throws IOException;
}
