package dev.medley.tenant.read;

import java.nio.file.Path;
import java.util.List;

/**
 * Says what was written for a caller.
 *
 * @param columns names in the file's order
 * @param why the decision that it follows
 */
public record Extract(Path file, long rows, long bytes, List<String> columns, String why) {
    /** Copies the names. */
    public Extract {
        columns = List.copyOf(columns);
    }
}
