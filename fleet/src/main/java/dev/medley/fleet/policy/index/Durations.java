package dev.medley.fleet.policy.index;

/** Writes durations for people. */
public final class Durations {
    private Durations() {}

    /** A duration in the unit that suits it. */
    public static String of(double seconds) {
        if (seconds < 100) {
            return Math.round(seconds) + " s";
        }
        if (seconds < 6000) {
            return Math.round(seconds / 60) + " min";
        }
        if (seconds < 48 * 3600) {
            return tenths(seconds / 3600) + " h";
        }
        return tenths(seconds / 86400) + " days";
    }

    /** By hand: policies say a duration for each of thousands of jobs. */
    private static String tenths(double value) {
        long tenths = Math.round(10 * value);
        return tenths / 10 + "." + tenths % 10;
    }
}
