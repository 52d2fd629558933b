package dev.medley.loop.spec;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says how long the files of runs stay: so many runs, or so long.
 *
 * @param runs the last ones; null where it is a time
 * @param age how old; null where it is a number of runs
 */
public record KeepSpec(@Nullable Integer runs, @Nullable Duration age) {
    /** The last thirty runs. */
    public static final KeepSpec USUAL = new KeepSpec(30, null);

    /** Whether something stays that so many later ones follow, and that is so old. */
    public boolean keeps(int later, long ageMs) {
        return runs == null ? age != null && ageMs < age.toMillis() : later < runs;
    }
}
