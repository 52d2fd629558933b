package dev.medley.data.text;

import java.util.function.ToIntFunction;

/**
 * Collects a text that comes in pieces until there is enough of it to be cut. What is taken out
 * ends where the cut does not depend on what comes.
 */
final class Passage {
    private static final int ENOUGH = 1 << 16;

    private final StringBuilder text = new StringBuilder();
    private int enough = ENOUGH;

    void add(int[] codePoints, int count) {
        for (int i = 0; i < count; i++) {
            text.appendCodePoint(codePoints[i]);
        }
    }

    /** A beginning of it that is settled, and is gone from it; empty while there is little. */
    String settled(ToIntFunction<CharSequence> place) {
        if (text.length() < enough) {
            return "";
        }
        int end = place.applyAsInt(text);
        enough =
                end == 0 ? 2 * enough : ENOUGH; // A word without an end is not looked at too often.
        return taken(end);
    }

    /** All that is left, which is gone from it. */
    String rest() {
        return taken(text.length());
    }

    private String taken(int end) {
        String taken = text.substring(0, end);
        text.delete(0, end);
        return taken;
    }
}
