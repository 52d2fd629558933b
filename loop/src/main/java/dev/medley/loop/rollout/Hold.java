package dev.medley.loop.rollout;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds a recipe back, of which a version was taken out of production: the loop promotes it again
 * only by rows that nobody knew the outcome of then.
 *
 * @param version that was taken back
 * @param recipe that it was made by; null where the loop did not make it
 * @param atMs when, milliseconds since 1970
 * @param judgedFromMs rows from this time on are new evidence, milliseconds since 1970
 * @param why it was taken back
 */
public record Hold(int version, @Nullable Recipe recipe, long atMs, long judgedFromMs, String why) {
    /** As many rows of new evidence are needed, at least. */
    public static final int LEAST_ROWS = 30;

    /** What holds, for people; {@code rows} is how much new evidence there is. */
    public String words(long rows) {
        return ("held, as version %d, which was made the same way, was taken back at %s (%s): needs"
                    + " %d labelled rows from %s on, and has %,d; medley loop release ends this")
                .formatted(version, time(atMs), why, LEAST_ROWS, time(judgedFromMs), rows);
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
