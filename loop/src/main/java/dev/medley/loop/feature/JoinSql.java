package dev.medley.loop.feature;

import dev.medley.data.table.engine.DuckDb;
import java.util.List;
import java.util.stream.Collectors;

/** Writes names as SQL has them. */
final class JoinSql {
    private JoinSql() {}

    /** Names, each with {@code prefix}, with commas between. */
    static String names(String prefix, List<String> names) {
        return names.stream().map(n -> prefix + DuckDb.name(n)).collect(Collectors.joining(", "));
    }

    /** {@code l.a = r.a AND l.b = r.b}. */
    static String equal(String left, String right, List<String> names) {
        return names.stream()
                .map(n -> "%s.%s = %s.%s".formatted(left, DuckDb.name(n), right, DuckDb.name(n)))
                .collect(Collectors.joining(" AND "));
    }
}
