package dev.medley.base.text;

import java.util.Locale;

/**
 * Writes numbers as people read them: about three digits and a unit. Never for programs, which read
 * the record itself.
 */
public final class Units {
    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final String[] DECIMAL = {"", "k", "M", "G", "T", "P"};
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MINUTE_NS = 60 * SECOND_NS;

    private Units() {}

    /** {@code 1.21 GiB}; in powers of 1024. */
    public static String bytes(double bytes) {
        int power = 0;
        double value = bytes;
        while (Math.abs(value) >= 999.5 && power < BINARY.length - 1) {
            value /= 1024;
            power++;
        }
        return (power == 0 ? plain(value) : digits(value)) + " " + BINARY[power];
    }

    /** {@code 312 MB/s}; in powers of 1000, as disks and memory are sold. */
    public static String bytesPerSecond(double bytesPerSecond) {
        return scaled(bytesPerSecond) + "B/s";
    }

    /** {@code 1.83 ms}, {@code 12.4 s}, {@code 3 min 20 s}, {@code 2 h 5 min}. */
    public static String duration(double ns) {
        if (ns == 0) {
            return "0 s";
        }
        if (ns < 999.5) {
            return plain(ns) + " ns";
        }
        if (ns < 999.5e3) {
            return digits(ns / 1e3) + " µs";
        }
        if (ns < 999.5e6) {
            return digits(ns / 1e6) + " ms";
        }
        if (ns < 59.95e9) {
            return digits(ns / 1e9) + " s";
        }
        long seconds = Math.round(ns / SECOND_NS);
        long minutes = seconds / 60;
        if (ns < 60.0 * MINUTE_NS) {
            return minutes + " min" + rest(seconds % 60, "s");
        }
        return minutes / 60 + " h" + rest(minutes % 60, "min");
    }

    /** {@code 12,345}. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** {@code 12.3 k}; a space and a power of 1000, ready for a unit to follow. */
    public static String scaled(double value) {
        int power = 0;
        double scaled = value;
        while (Math.abs(scaled) >= 999.5 && power < DECIMAL.length - 1) {
            scaled /= 1000;
            power++;
        }
        return digits(scaled) + " " + DECIMAL[power];
    }

    /** {@code 1,234 samples/s}. */
    public static String samplesPerSecond(double rate) {
        return (rate >= 100 ? count(Math.round(rate)) : digits(rate)) + " samples/s";
    }

    /** A metric or loss: four digits, more where they matter: {@code 0.8842}, {@code 1.234e-06}. */
    public static String metric(double value) {
        if (Double.isNaN(value)) {
            return "not a number";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "infinite" : "minus infinite";
        }
        double size = Math.abs(value);
        if (size != 0 && (size < 1e-3 || size >= 1e6)) {
            return String.format(Locale.ROOT, "%.3e", value);
        }
        int decimals = size >= 1000 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : 4;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** {@code 12.3 %} of a part between 0 and 1. */
    public static String percent(double part) {
        return String.format(Locale.ROOT, part >= 0.0995 ? "%.0f %%" : "%.1f %%", 100 * part);
    }

    private static String rest(long value, String unit) {
        return value == 0 ? "" : " " + value + " " + unit;
    }

    private static String plain(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private static String digits(double value) {
        double size = Math.abs(value);
        int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
