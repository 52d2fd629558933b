package dev.medley.fleet.policy.index;

import java.util.Locale;

/** Writes durations for people. */
public final class Durations {
    private Durations() {}

    /** A duration in the unit that suits it. */
    public static String of(double seconds) {
        if (seconds < 100) {
            return String.format(Locale.ROOT, "%.0f s", seconds);
        }
        if (seconds < 6000) {
            return String.format(Locale.ROOT, "%.0f min", seconds / 60);
        }
        if (seconds < 48 * 3600) {
            return String.format(Locale.ROOT, "%.1f h", seconds / 3600);
        }
        return String.format(Locale.ROOT, "%.1f days", seconds / 86400);
    }
}
