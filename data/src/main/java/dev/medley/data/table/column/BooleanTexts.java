package dev.medley.data.table.column;

import java.util.List;

/** Recognises texts that are true or false. Each pair is of one language of programs or people. */
final class BooleanTexts {
    /** Characters of the longest of them. */
    static final int LONGEST = 5;

    private static final List<List<String>> PAIRS =
            List.of(
                    List.of("true", "false"),
                    List.of("yes", "no"),
                    List.of("y", "n"),
                    List.of("t", "f"),
                    List.of("on", "off"));

    private BooleanTexts() {}

    /** Conditions, one a pair, that a text belongs to it. */
    static List<String> conditions(String text) {
        return PAIRS.stream()
                .map(p -> "lower(%s) IN ('%s', '%s')".formatted(text, p.get(0), p.get(1)))
                .toList();
    }

    /**
     * 1 for true, 0 for false, NULL for another text. All spellings are read, whatever pair
     * training had.
     */
    static String sql(String text) {
        return ("CASE WHEN lower(%1$s) IN (%2$s, '1', '1.0') THEN 1.0::DOUBLE"
                        + " WHEN lower(%1$s) IN (%3$s, '0', '0.0') THEN 0.0::DOUBLE END")
                .formatted(text, texts(0), texts(1));
    }

    private static String texts(int which) {
        return String.join(", ", PAIRS.stream().map(p -> "'" + p.get(which) + "'").toList());
    }
}
