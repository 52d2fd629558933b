package dev.medley.profile.machine;

import java.util.Arrays;
import java.util.Locale;

/**
 * A number and how sure it is.
 *
 * @param value the median of the repeats; NaN where nothing was measured
 * @param spread half the distance between the quartiles of the repeats, as a part of the value:
 *     half of the repeats lie within
 * @param repeats measurements behind it
 * @param certainty in one word
 * @param how it was found, or why not
 */
public record Figure(double value, double spread, int repeats, Certainty certainty, String how) {
    /** Above this spread a measurement says little about the next one. */
    private static final double NOISY_SPREAD = 0.15;

    /** How sure a number is. */
    public enum Certainty {
        /** Measured several times, with a small spread. */
        MEASURED,
        /** Measured, but the repeats differ, or were few. */
        NOISY,
        /** Said by the operating system or a driver. */
        REPORTED,
        /** Inferred from other figures, or measured on something that is not quite the thing. */
        ESTIMATED,
        /** Not known; {@link Figure#how} says why. */
        UNKNOWN
    }

    /** The median of what was measured. */
    public static Figure measured(double[] repeats, String how) {
        if (repeats.length == 0) {
            return unknown("no repeat was finished: " + how);
        }
        double[] sorted = repeats.clone();
        Arrays.sort(sorted);
        double median = quantile(sorted, 0.5);
        double between = quantile(sorted, 0.75) - quantile(sorted, 0.25);
        double spread = median == 0 ? 0 : between / 2 / Math.abs(median);
        boolean isSure = sorted.length >= 3 && spread <= NOISY_SPREAD;
        return new Figure(
                median, spread, sorted.length, isSure ? Certainty.MEASURED : Certainty.NOISY, how);
    }

    /** Nothing is known, and why. */
    public static Figure unknown(String why) {
        return new Figure(Double.NaN, 0, 0, Certainty.UNKNOWN, why);
    }

    /** The same number, held to be less sure. */
    public Figure estimated(String why) {
        return certainty == Certainty.UNKNOWN
                ? this
                : new Figure(value, spread, repeats, Certainty.ESTIMATED, how + "; " + why);
    }

    /** Whether there is a number at all. */
    public boolean exists() {
        return !Double.isNaN(value);
    }

    /** {@code measured 5 times, ± 3 %}. */
    public String sureness() {
        String word = certainty.name().toLowerCase(Locale.ROOT);
        if (repeats == 0) {
            return word;
        }
        String times = repeats == 1 ? "once" : repeats + " times";
        String verb = certainty == Certainty.MEASURED ? "measured " : word + ", measured ";
        String within = repeats == 1 ? "" : String.format(Locale.ROOT, ", ± %.0f %%", 100 * spread);
        return verb + times + within;
    }

    /** Linear between the neighbours. */
    private static double quantile(double[] sorted, double part) {
        double place = part * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
