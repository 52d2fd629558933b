package dev.medley.data.table.term;

import org.jspecify.annotations.Nullable;

/** Reads pairs of index and value, as in {@code 3:0.5 7:1}, separated by spaces. */
public final class PairTexts {
    /** The form of a pair, as a regular expression; indices have up to nine digits. */
    public static final String ONE =
            "[0-9]{1,9}:[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,3})?";

    /** The form of pairs with nothing between them but spaces. */
    public static final String ALL = "(" + ONE + "([ \\t]+|$))*";

    /** Takes a pair. */
    @FunctionalInterface
    interface Sink {
        void accept(int index, double value);
    }

    private PairTexts() {}

    /** Hands the pairs of a text of that form to {@code sink}, in order. */
    static void each(@Nullable String pairs, Sink sink) {
        String text = pairs == null ? "" : pairs;
        int end = text.length();
        for (int at = 0; at < end; ) {
            if (text.charAt(at) <= ' ') {
                at++;
                continue;
            }
            int colon = text.indexOf(':', at);
            int next = colon;
            while (next < end && text.charAt(next) > ' ') {
                next++;
            }
            sink.accept(
                    Integer.parseInt(text, at, colon, 10),
                    Double.parseDouble(text.substring(colon + 1, next)));
            at = next;
        }
    }
}
