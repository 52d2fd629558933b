package dev.medley.store.table;

import dev.medley.base.ConfigException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Columns that are not there, with those that are. */
final class DidYouMean {
    private DidYouMean() {}

    /** The user's error: {@code what} names {@code column}, and the table has {@code columns}. */
    static ConfigException noColumn(String what, String column, List<String> columns, Object file) {
        String nearest =
                columns.stream()
                        .min(Comparator.comparingInt(c -> distance(lower(c), lower(column))))
                        .filter(c -> distance(lower(c), lower(column)) <= 1 + column.length() / 3)
                        .map(c -> "; did you mean '" + c + "'?")
                        .orElse("");
        boolean isNameless = columns.get(0).equals("column0");
        return new ConfigException(
                "%s=%s: %s has no such column%s The columns are: %s%s"
                        .formatted(
                                what,
                                column,
                                file,
                                nearest.isEmpty() ? "." : nearest,
                                String.join(", ", columns),
                                isNameless
                                        ? " (no line of names was found; if the first line is one,"
                                                + " set data.table.header: true)"
                                        : ""));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** Levenshtein's distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
