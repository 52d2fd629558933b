package dev.medley.fleet.cost.spot;

import java.util.Locale;

/**
 * Says where a job is during the next step.
 *
 * @param why one sentence for its owner
 */
public record SpotChoice(SpotPlace place, String why) {
    /** With a sentence made of a format and its values. */
    static SpotChoice of(SpotPlace place, String format, Object... values) {
        return new SpotChoice(place, String.format(Locale.ROOT, format, values));
    }
}
