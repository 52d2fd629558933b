package dev.medley.loop.spec;

import java.util.List;

/**
 * Says whom answers are wanted for.
 *
 * @param sql a query over the sources, whose rows are answered as of now
 * @param key columns that tell rows apart, and that destinations know them by
 */
public record ScoreSpec(String sql, List<String> key) {
    public ScoreSpec {
        key = List.copyOf(key);
    }
}
