package dev.medley.serving.generate;

import java.util.List;

/**
 * Cuts a text that comes in pieces at the first of some texts. What may be the beginning of one is
 * held back until more is known.
 *
 * <p>Thread: one.
 */
final class StopTexts {
    private final List<String> stops;
    private final StringBuilder held = new StringBuilder();
    private boolean isStopped;

    StopTexts(List<String> stops) {
        this.stops = List.copyOf(stops);
    }

    /** What may be told of the text so far, beyond what was told before. */
    String add(String piece) {
        held.append(piece);
        int first = -1;
        for (String stop : stops) {
            int at = held.indexOf(stop);
            first = at >= 0 && (first < 0 || at < first) ? at : first;
        }
        isStopped = first >= 0;
        int told = isStopped ? first : held.length() - beginning();
        String free = held.substring(0, told);
        held.delete(0, isStopped ? held.length() : told);
        return free;
    }

    /** The length of the longest end that one of the texts begins with. */
    private int beginning() {
        int longest = 0;
        for (String stop : stops) {
            int most = Math.min(stop.length() - 1, held.length());
            for (int length = most; length > longest; length--) {
                if (stop.startsWith(held.substring(held.length() - length))) {
                    longest = length;
                }
            }
        }
        return longest;
    }

    /** Whether one of the texts has come. */
    boolean isStopped() {
        return isStopped;
    }

    /** What was held back, where no more comes. */
    String rest() {
        String rest = held.toString();
        held.setLength(0);
        return rest;
    }
}
